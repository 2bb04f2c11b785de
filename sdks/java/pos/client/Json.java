package pos.client;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads and writes JSON. Objects are maps in the order of their members, whole numbers are {@code Long}, other numbers
 * are {@code BigDecimal}.
 */
public final class Json {
    private static final int DEPTH_MAX = 200;
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /**
     * Reads one value.
     *
     * @throws IllegalArgumentException for a text that is no JSON
     */
    public static Object parse(String text) {
        Json reader = new Json(text);
        Object value = reader.readValue(0);
        reader.skipSpace();
        if (reader.at < text.length()) {
            throw reader.refuse();
        }
        return value;
    }

    /** Writes a value of the kinds that {@link #parse} returns, or a {@link JsonObject}. */
    public static String write(Object value) {
        StringBuilder written = new StringBuilder();
        append(written, value);
        return written.toString();
    }

    private Object readValue(int depth) {
        if (depth > DEPTH_MAX) {
            throw refuse();
        }
        skipSpace();
        switch (peek()) {
            case '{':
                return readObject(depth);
            case '[':
                return readList(depth);
            case '"':
                return readText();
            case 't':
                return readWord("true", Boolean.TRUE);
            case 'f':
                return readWord("false", Boolean.FALSE);
            case 'n':
                return readWord("null", null);
            default:
                return readNumber();
        }
    }

    private Map<String, Object> readObject(int depth) {
        Map<String, Object> members = new LinkedHashMap<>();
        at += 1;
        skipSpace();
        if (peek() == '}') {
            at += 1;
            return members;
        }
        do {
            skipSpace();
            String name = readText();
            skipSpace();
            take(':');
            members.put(name, readValue(depth + 1));
            skipSpace();
        } while (isNext(','));
        take('}');
        return members;
    }

    private List<Object> readList(int depth) {
        List<Object> elements = new ArrayList<>();
        at += 1;
        skipSpace();
        if (peek() == ']') {
            at += 1;
            return elements;
        }
        do {
            elements.add(readValue(depth + 1));
            skipSpace();
        } while (isNext(','));
        take(']');
        return elements;
    }

    private String readText() {
        take('"');
        StringBuilder read = new StringBuilder();
        while (peek() != '"') {
            char next = text.charAt(at);
            at += 1;
            if (next < ' ') {
                throw refuse();
            }
            read.append(next == '\\' ? readEscape() : next);
        }
        at += 1;
        return read.toString();
    }

    private char readEscape() {
        char kind = peek();
        at += 1;
        switch (kind) {
            case '"':
            case '\\':
            case '/':
                return kind;
            case 'b':
                return '\b';
            case 'f':
                return '\f';
            case 'n':
                return '\n';
            case 'r':
                return '\r';
            case 't':
                return '\t';
            case 'u':
                return readHexadecimal();
            default:
                throw refuse();
        }
    }

    private char readHexadecimal() {
        if (at + 4 > text.length()) {
            throw refuse();
        }
        int code = 0;
        for (int end = at + 4; at < end; at += 1) {
            int digit = Character.digit(text.charAt(at), 16);
            if (digit < 0 || text.charAt(at) > 'f') {
                throw refuse();
            }
            code = code * 16 + digit;
        }
        return (char) code;
    }

    private Object readWord(String word, Object value) {
        if (!text.startsWith(word, at)) {
            throw refuse();
        }
        at += word.length();
        return value;
    }

    private Object readNumber() {
        int start = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at += 1;
        }
        String number = text.substring(start, at);
        if (!number.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")) {
            throw refuse();
        }
        // A Long has at least 18 digits.
        return number.matches("-?[0-9]{1,18}") ? (Object) Long.valueOf(number) : new BigDecimal(number);
    }

    private void skipSpace() {
        while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) {
            at += 1;
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw refuse();
        }
        return text.charAt(at);
    }

    private boolean isNext(char wanted) {
        boolean isFound = peek() == wanted;
        at += isFound ? 1 : 0;
        return isFound;
    }

    private void take(char wanted) {
        if (!isNext(wanted)) {
            throw refuse();
        }
    }

    private IllegalArgumentException refuse() {
        return new IllegalArgumentException("no JSON at character " + at);
    }

    private static void append(StringBuilder written, Object value) {
        if (value instanceof JsonObject) {
            append(written, ((JsonObject) value).toMap());
        } else if (value instanceof Map) {
            String separator = "{";
            for (Map.Entry<?, ?> member : ((Map<?, ?>) value).entrySet()) {
                written.append(separator);
                appendText(written, member.getKey().toString());
                written.append(':');
                append(written, member.getValue());
                separator = ",";
            }
            written.append(separator.equals("{") ? "{}" : "}");
        } else if (value instanceof Iterable) {
            String separator = "[";
            for (Object element : (Iterable<?>) value) {
                written.append(separator);
                append(written, element);
                separator = ",";
            }
            written.append(separator.equals("[") ? "[]" : "]");
        } else if (value == null || value instanceof Boolean || isNumber(value)) {
            written.append(value);
        } else if (value instanceof CharSequence) {
            appendText(written, (CharSequence) value);
        } else {
            throw new PosUsageException(value.getClass().getName() + " is no value of JSON");
        }
    }

    /** JSON has no infinity. */
    private static boolean isNumber(Object value) {
        return value instanceof Number && Double.isFinite(((Number) value).doubleValue());
    }

    private static void appendText(StringBuilder written, CharSequence value) {
        written.append('"');
        for (int index = 0; index < value.length(); index += 1) {
            char next = value.charAt(index);
            if (next == '"' || next == '\\') {
                written.append('\\').append(next);
            } else if (next < ' ') {
                written.append(String.format("\\u%04x", (int) next));
            } else {
                written.append(next);
            }
        }
        written.append('"');
    }
}
