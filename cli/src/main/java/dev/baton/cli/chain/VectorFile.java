package dev.baton.cli.chain;

import dev.baton.cli.UserError;
import dev.baton.protocol.DataType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;

/** Vectors in files: one column of a CSV, or a .npy array of float32 or float64. Results are written whole or not at all. */
public final class VectorFile {
    /** What is done with NaN in an input. */
    public enum NanPolicy {
        REJECT,
        KEEP
    }

    private VectorFile() {}

    /** Reads a file by the ending of its name. */
    public static Vector read(Path file, @Nullable String column, NanPolicy nan) {
        if (!Files.isRegularFile(file)) {
            throw new UserError(file + ": no such file");
        }
        Vector v;
        try {
            v = switch (ending(file)) {
                case "csv" -> csv(file, column);
                case "npy" -> Npy.read(file);
                default -> throw new UserError(file + ": unknown kind of file; .csv and .npy are known");
            };
        } catch (NoSuchFileException e) {
            throw new UserError(file + ": no such file");
        } catch (MalformedInputException e) {
            throw new UserError(file + ": is no UTF-8 text");
        } catch (IOException | UncheckedIOException e) {
            throw new UserError(file + ": can't be read: " + e.getMessage());
        }
        if (v.elements() == 0) {
            throw new UserError(file + ": holds no values");
        }
        if (nan == NanPolicy.REJECT) {
            for (int i = 0; i < v.elements(); i++) {
                if (Double.isNaN(v.get(i))) {
                    throw new UserError(file + ": value " + (i + 1) + " is NaN; --nan keep lets it pass");
                }
            }
        }
        return v;
    }

    private static String ending(Path file) {
        String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
        return name.substring(name.lastIndexOf('.') + 1);
    }

    private static Vector csv(Path file, @Nullable String column) throws IOException {
        List<Double> values = new ArrayList<>();
        CSVFormat format = CSVFormat.DEFAULT
                .builder()
                .setTrim(true)
                .setIgnoreEmptyLines(true)
                .get();
        int index = -1;
        try (CSVParser parser = CSVParser.parse(file, java.nio.charset.StandardCharsets.UTF_8, format)) {
            for (CSVRecord row : parser) {
                if (index < 0) {
                    index = column(file, row, column);
                    if (header(row, index)) {
                        continue;
                    }
                }
                if (row.size() <= index) {
                    throw new UserError(
                            file + ": line " + parser.getCurrentLineNumber() + " has no column " + (index + 1));
                }
                values.add(number(file, parser.getCurrentLineNumber(), row.get(index)));
            }
        }
        return Vector.of(DataType.F32, values.size(), values::get);
    }

    private static int column(Path file, CSVRecord first, @Nullable String column) {
        if (column == null) {
            if (first.size() > 1) {
                throw new UserError(file + ": has " + first.size() + " columns; say which with --column");
            }
            return 0;
        }
        for (int i = 0; i < first.size(); i++) {
            if (first.get(i).equals(column)) {
                return i;
            }
        }
        if (column.matches("\\d{1,6}")) {
            int n = Integer.parseInt(column);
            if (n >= 1 && n <= first.size()) {
                return n - 1;
            }
        }
        throw new UserError(
                file + ": has no column '" + column + "'; its first line is " + String.join(",", first.toList()));
    }

    private static boolean header(CSVRecord first, int index) {
        try {
            Double.parseDouble(first.get(index));
            return false;
        } catch (NumberFormatException e) {
            return true;
        }
    }

    private static double number(Path file, long line, String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new UserError(file + ": line " + line + ": '" + text + "' is no number");
        }
    }

    /** Refuses early what could not be written in the end. */
    public static void checkWritable(Path file) {
        if (!List.of("csv", "npy").contains(ending(file))) {
            throw new UserError(file + ": unknown kind of file; .csv and .npy can be written");
        }
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder) || !Files.isWritable(folder) || Files.isDirectory(file)) {
            throw new UserError(file + ": can't be written; its folder does not exist or is not writable");
        }
    }

    /** Writes a file whole: into another beside it first, then moved into its place. */
    public static void write(Path file, Vector v) {
        Path folder = file.toAbsolutePath().getParent();
        try {
            Path part = Files.createTempFile(folder, ".baton", ".part");
            try {
                if (ending(file).equals("npy")) {
                    Npy.write(part, v);
                } else {
                    csv(part, v);
                }
                move(part, file);
            } finally {
                Files.deleteIfExists(part);
            }
        } catch (IOException | UncheckedIOException e) {
            throw new UserError(file + ": can't be written: " + e.getMessage());
        }
    }

    private static void move(Path part, Path file) throws IOException {
        try {
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static void csv(Path file, Vector v) throws IOException {
        try (var printer = CSVFormat.DEFAULT
                .builder()
                .setRecordSeparator('\n')
                .get()
                .print(file, java.nio.charset.StandardCharsets.UTF_8)) {
            printer.printRecord("value");
            for (int i = 0; i < v.elements(); i++) {
                printer.printRecord(v.type() == DataType.F32 ? (Object) (float) v.get(i) : (Object) v.get(i));
            }
        }
    }
}
