package pos.client;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * An object of the API with typed accessors. It keeps members that this client does not know, so a newer service does
 * not break it. An accessor of an optional member returns null when the member is absent.
 */
public abstract class JsonObject {
    private final Map<String, Object> members;

    /** A view of the members. */
    protected JsonObject(Map<String, Object> members) {
        this.members = members;
    }

    /** The members as they are sent. */
    public final Map<String, Object> toMap() {
        return members;
    }

    /** Whether the object has the member, which may be null. */
    public final boolean has(String name) {
        return members.containsKey(name);
    }

    @Override
    public final boolean equals(Object other) {
        return other instanceof JsonObject && members.equals(((JsonObject) other).members);
    }

    @Override
    public final int hashCode() {
        return members.hashCode();
    }

    /** The object as JSON. */
    @Override
    public final String toString() {
        return Json.write(members);
    }

    /** Sets a member; null is sent as null. */
    protected final void put(String name, Object value) {
        members.put(name, encode(value));
    }

    /** An optional member; null when it is absent. */
    protected final <T> T find(String name, Function<Object, T> read) {
        Object value = members.get(name);
        return value == null ? null : convert(name, value, read);
    }

    /** A member that the contract promises. */
    protected final <T> T get(String name, Function<Object, T> read) {
        Object value = members.get(name);
        if (value == null) {
            throw new PosAnswerException(getClass().getSimpleName() + " lacks " + name);
        }
        return convert(name, value, read);
    }

    private <T> T convert(String name, Object value, Function<Object, T> read) {
        try {
            return read.apply(value);
        } catch (ClassCastException error) {
            throw new PosAnswerException(getClass().getSimpleName() + " has another type of " + name);
        }
    }

    static String asText(Object value) {
        return (String) value;
    }

    static Long asLong(Object value) {
        return ((Number) value).longValue();
    }

    static Double asDouble(Object value) {
        return ((Number) value).doubleValue();
    }

    static Boolean asBoolean(Object value) {
        return (Boolean) value;
    }

    static Object asIs(Object value) {
        return value;
    }

    static Map<String, Object> asMembers(Object value) {
        return asMap(JsonObject::asIs).apply(value);
    }

    static <T> Function<Object, List<T>> asList(Function<Object, T> read) {
        return value -> {
            List<T> elements = new ArrayList<>();
            for (Object element : (List<?>) value) {
                elements.add(element == null ? null : read.apply(element));
            }
            return elements;
        };
    }

    static <T> Function<Object, Map<String, T>> asMap(Function<Object, T> read) {
        return value -> {
            Map<String, T> found = new LinkedHashMap<>();
            ((Map<?, ?>) value)
                    .forEach((name, each) -> found.put((String) name, each == null ? null : read.apply(each)));
            return found;
        };
    }

    private static Object encode(Object value) {
        if (value instanceof JsonObject) {
            return ((JsonObject) value).members;
        }
        if (value instanceof List) {
            List<Object> elements = new ArrayList<>();
            ((List<?>) value).forEach(element -> elements.add(encode(element)));
            return elements;
        }
        if (value instanceof Map) {
            Map<String, Object> found = new LinkedHashMap<>();
            ((Map<?, ?>) value).forEach((name, each) -> found.put((String) name, encode(each)));
            return found;
        }
        return value;
    }
}
