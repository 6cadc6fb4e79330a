package dev.baton.cli.chain;

import dev.baton.cli.UserError;
import dev.baton.protocol.DataType;
import dev.baton.protocol.HostBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** NumPy's .npy format, versions 1 to 3: arrays of float32 and float64, read as a flat vector. */
final class Npy {
    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
    private static final Pattern DESCR = Pattern.compile("'descr'\\s*:\\s*'([^']*)'");
    private static final Pattern SHAPE = Pattern.compile("'shape'\\s*:\\s*\\(([^)]*)\\)");
    private static final int ALIGN = 64;

    private Npy() {}

    static Vector read(Path file) throws IOException {
        try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ)) {
            if (in.size() > Integer.MAX_VALUE) {
                throw new UserError(file + ": is larger than 2 GiB");
            }
            ByteBuffer all = ByteBuffer.allocate((int) in.size()).order(ByteOrder.LITTLE_ENDIAN);
            while (all.hasRemaining() && in.read(all) >= 0) {
                // until all is read
            }
            all.flip();
            return parse(file, all);
        }
    }

    private static Vector parse(Path file, ByteBuffer all) {
        byte[] magic = new byte[MAGIC.length];
        if (all.remaining() < 10) {
            throw new UserError(file + ": is no .npy file: too short");
        }
        all.get(magic);
        if (!java.util.Arrays.equals(magic, MAGIC)) {
            throw new UserError(file + ": is no .npy file: it does not begin with NumPy's mark");
        }
        int major = all.get();
        all.get();
        long length = major == 1 ? all.getShort() & 0xFFFF : all.getInt() & 0xFFFF_FFFFL;
        if (length > all.remaining()) {
            throw new UserError(file + ": is no .npy file: its header is cut off");
        }
        byte[] header = new byte[(int) length];
        all.get(header);
        String text = new String(header, StandardCharsets.UTF_8);
        String descr = find(file, DESCR, text, "descr");
        DataType type = switch (descr) {
            case "<f4", ">f4" -> DataType.F32;
            case "<f8", ">f8" -> DataType.F64;
            default ->
                throw new UserError(file + ": holds elements of type " + descr + "; float32 and float64 are known");
        };
        long elements = 1;
        for (String d : find(file, SHAPE, text, "shape").split(",")) {
            if (!d.isBlank()) {
                try {
                    elements = Math.multiplyExact(elements, Long.parseLong(d.trim()));
                } catch (NumberFormatException | ArithmeticException e) {
                    throw new UserError(file + ": its shape (" + text.trim() + ") makes no sense");
                }
            }
        }
        if (elements * type.bytes() != all.remaining()) {
            throw new UserError(file + ": its shape asks for " + elements * type.bytes() + " bytes, but it holds "
                    + all.remaining());
        }
        if (descr.startsWith(">")) {
            ByteBuffer big = all.slice().order(ByteOrder.BIG_ENDIAN);
            return Vector.of(
                    type,
                    (int) elements,
                    i -> type == DataType.F32 ? big.getFloat(i * Float.BYTES) : big.getDouble(i * Double.BYTES));
        }
        return new Vector(type, HostBytes.copyOf(all));
    }

    private static String find(Path file, Pattern pattern, String header, String key) {
        Matcher m = pattern.matcher(header);
        if (!m.find()) {
            throw new UserError(file + ": is no .npy file: its header has no " + key);
        }
        return m.group(1);
    }

    static void write(Path file, Vector v) throws IOException {
        String descr = v.type() == DataType.F32 ? "<f4" : "<f8";
        String dict = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (" + v.elements() + ",), }";
        int unpadded = MAGIC.length + 4 + dict.length() + 1;
        int padding = (ALIGN - unpadded % ALIGN) % ALIGN;
        byte[] header = (dict + " ".repeat(padding) + "\n").getBytes(StandardCharsets.US_ASCII);
        ByteBuffer head = ByteBuffer.allocate(MAGIC.length + 4 + header.length).order(ByteOrder.LITTLE_ENDIAN);
        head.put(MAGIC)
                .put((byte) 1)
                .put((byte) 0)
                .putShort((short) header.length)
                .put(header)
                .flip();
        try (FileChannel out = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            while (head.hasRemaining()) {
                out.write(head);
            }
            ByteBuffer body = v.bytes().view();
            while (body.hasRemaining()) {
                out.write(body);
            }
        }
    }
}
