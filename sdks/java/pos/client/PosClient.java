package pos.client;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.Function;

/** A client of the payments API, for servers. Needs Java 11 or newer and nothing else. Threads may share a client. */
public final class PosClient extends PosOperations {
    private final Sender sender;

    public PosClient(ClientSettings settings) {
        sender = new Sender(settings);
    }

    /**
     * Calls an operation by its id in the contract, for programs that choose it at run time. Returns what
     * {@link Json#parse} does; null for an answer without content.
     */
    public Object call(String operation, List<String> members, Object payload, CallOptions options) {
        return sender.send(findOperation(operation), members, payload, options);
    }

    /** Every element of a listing, from page to page; a page is read when the loop arrives at it. */
    public Iterable<Object> iterate(String operation, List<String> members, Object payload, CallOptions options) {
        return iterate(operation, members, payload, options, JsonObject::asIs);
    }

    @Override
    <T> T call(String operation, List<String> members, Object payload, CallOptions options, Function<Object, T> read) {
        Object answer = call(operation, members, payload, options);
        if (answer == null) {
            return null;
        }
        try {
            return read.apply(answer);
        } catch (ClassCastException error) {
            throw new PosAnswerException(operation + ": the answer has another form than the contract says");
        }
    }

    @Override
    <T> Iterable<T> iterate(
            String operation, List<String> members, Object payload, CallOptions options, Function<Object, T> read) {
        Operation listing = findOperation(operation);
        if (listing.getPages() == Operation.Pages.NONE) {
            throw new PosUsageException(operation + " has no pages");
        }
        Map<String, Object> first = readMembers(payload);
        return () -> new PageIterator<>(
                after -> JsonObject.asMembers(call(operation, members, pointTo(first, listing, after), options)), read);
    }

    private static Operation findOperation(String id) {
        Operation found = Operations.find(id);
        if (found == null) {
            throw new PosUsageException("there is no operation " + id);
        }
        return found;
    }

    private static Map<String, Object> readMembers(Object payload) {
        if (payload == null) {
            return Map.of();
        }
        return payload instanceof JsonObject ? ((JsonObject) payload).toMap() : JsonObject.asMembers(payload);
    }

    /** The same question with the cursor of the next page, which replaces one of the caller. */
    private static Map<String, Object> pointTo(Map<String, Object> first, Operation listing, String after) {
        Map<String, Object> asked = new LinkedHashMap<>(first);
        if (after == null) {
            return asked;
        }
        Map<String, Object> cursor = asked;
        if (listing.getPages() == Operation.Pages.CURSOR) {
            cursor = new LinkedHashMap<>(readMembers(first.get("cursor")));
            asked.put("cursor", cursor);
        }
        cursor.remove("before");
        cursor.put("after", after);
        return asked;
    }

    private static final class PageIterator<T> implements Iterator<T> {
        private final Function<String, Map<String, Object>> readPage;
        private final Function<Object, T> read;
        private Iterator<?> elements = List.of().iterator();
        private String after;
        private boolean isLast;

        PageIterator(Function<String, Map<String, Object>> readPage, Function<Object, T> read) {
            this.readPage = readPage;
            this.read = read;
        }

        @Override
        public boolean hasNext() {
            while (!elements.hasNext() && !isLast) {
                Map<String, Object> page = readPage.apply(after);
                String next = (String) page.get("after");
                // A loop without an end is worse than an error.
                if (next != null && Objects.equals(next, after)) {
                    throw new PosAnswerException("the page after " + after + " is itself");
                }
                elements = ((List<?>) page.get("data")).iterator();
                after = next;
                isLast = next == null;
            }
            return elements.hasNext();
        }

        @Override
        public T next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return read.apply(elements.next());
        }
    }
}
