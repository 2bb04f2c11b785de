package pos.client;

import java.net.URI;
import java.util.List;
import java.util.Map;

/** The service refused a call, or failed. */
public final class PosApiException extends PosException {
    private static final long serialVersionUID = 1L;

    private final String operation;
    private final int status;
    private final String reasonText;
    private final String traceId;
    private final transient Map<String, List<String>> fields;
    private final String documentation;
    private final String body;

    PosApiException(String operation, int status, String traceHeader, String body, String baseUrl) {
        this(operation, status, traceHeader, body, baseUrl, readProblem(body));
    }

    private PosApiException(
            String operation, int status, String traceHeader, String body, String baseUrl, Map<?, ?> problem) {
        super(describe(operation, status, problem), null);
        this.operation = operation;
        this.status = status;
        this.body = body;
        reasonText = readText(problem, "reason");
        String named = readText(problem, "traceId");
        traceId = named == null ? traceHeader : named;
        fields = readFields(problem.get("errors"));
        documentation = resolve(baseUrl, readText(problem, "documentation"));
    }

    /** The id of the operation in the contract. */
    public String getOperation() {
        return operation;
    }

    public int getStatus() {
        return status;
    }

    /** Why; {@link Reason#UNKNOWN} without a problem body, and for a reason of a newer service. */
    public Reason getReason() {
        return Reason.of(reasonText);
    }

    /** The reason as it was sent; null where something before the service answered, without a problem body. */
    public String getReasonText() {
        return reasonText;
    }

    /** Names the request in the log of the service; null if nothing does. */
    public String getTraceId() {
        return traceId;
    }

    /** Messages by member path or header name; empty when no member is at fault. */
    public Map<String, List<String>> getFields() {
        return fields;
    }

    /** The address of the page about the reason, or null. */
    public String getDocumentation() {
        return documentation;
    }

    /** The body as it arrived. */
    public String getBody() {
        return body;
    }

    private static Map<?, ?> readProblem(String body) {
        try {
            Object value = Json.parse(body);
            return value instanceof Map ? (Map<?, ?>) value : Map.of();
        } catch (IllegalArgumentException error) {
            return Map.of();
        }
    }

    private static String describe(String operation, int status, Map<?, ?> problem) {
        String reason = readText(problem, "reason");
        String title = reason == null ? readText(problem, "title") : reason;
        String detail = readText(problem, "detail");
        return operation + ": " + status + " " + (title == null ? "without a problem body" : title) + ": "
                + (detail == null ? "" : detail);
    }

    private static String readText(Map<?, ?> problem, String name) {
        Object value = problem.get(name);
        return value instanceof String ? (String) value : null;
    }

    private static Map<String, List<String>> readFields(Object errors) {
        if (!(errors instanceof Map)) {
            return Map.of();
        }
        try {
            return JsonObject.asMap(JsonObject.asList(JsonObject::asText)).apply(errors);
        } catch (ClassCastException error) {
            return Map.of();
        }
    }

    private static String resolve(String baseUrl, String address) {
        try {
            URI resolved = address == null ? null : URI.create(baseUrl).resolve(address);
            return resolved == null || resolved.getHost() == null ? null : resolved.toString();
        } catch (IllegalArgumentException error) {
            return null;
        }
    }
}
