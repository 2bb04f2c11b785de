package pos.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

import pos.client.RetryPolicy.FailedAttempt;
import pos.client.RetryPolicy.Repeat;
import pos.webhooks.WebhookRefusedException;

/**
 * Prints what the client does with the vectors that clients of all languages are tested with. Arguments: the folder of
 * the vectors, and the address of the scripted service.
 */
final class CheckVectors {
    private final Path folder;
    private final String origin;

    private CheckVectors(String folder, String origin) {
        this.folder = Path.of(folder);
        this.origin = origin;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException, ExecutionException {
        CheckVectors check = new CheckVectors(arguments[0], arguments[1]);
        Map<String, Object> webhooks = check.read("webhooks");
        Map<String, Object> retries = check.read("retries");
        Instant now = Instant.ofEpochMilli((Long) retries.get("now"));
        Map<String, Object> found = new LinkedHashMap<>();
        found.put("webhooks", vectorsOf(webhooks).map(CheckVectors::checkWebhook).collect(Collectors.toList()));
        found.put("signatures", vectorsOf(webhooks).map(CheckVectors::sign).collect(Collectors.toList()));
        List<Map<String, Object>> serviceSignatures =
                vectorsOf(check.read("service-signatures")).collect(Collectors.toList());
        found.put(
                "serviceSignatures",
                serviceSignatures.stream().map(CheckVectors::checkServiceSignature).collect(Collectors.toList()));
        found.put(
                "madeServiceSignatures",
                serviceSignatures.stream().map(CheckVectors::signForService).collect(Collectors.toList()));
        found.put("retries", vectorsOf(retries).map(vector -> decide(vector, now)).collect(Collectors.toList()));
        found.put("calls", check.callAll(vectorsOf(check.read("calls")).collect(Collectors.toList())));
        System.out.println(Json.write(found));
    }

    private Map<String, Object> read(String name) throws IOException {
        return JsonObject.asMembers(Json.parse(Files.readString(folder.resolve(name + ".json"))));
    }

    private static java.util.stream.Stream<Map<String, Object>> vectorsOf(Map<String, Object> file) {
        return ((List<?>) file.get("vectors")).stream().map(JsonObject::asMembers);
    }

    private static String checkWebhook(Map<String, Object> vector) {
        Duration tolerance = Duration.ofSeconds((Long) vector.get("toleranceSeconds"));
        return nameOutcome(vector, () ->
                Webhooks.verifyWebhook(bodyOf(vector), headersOf(vector), secretsOf(vector), tolerance, nowOf(vector)));
    }

    private static String checkServiceSignature(Map<String, Object> vector) {
        if (vector.get("toleranceSeconds") == null) {
            return nameOutcome(vector, () ->
                    Webhooks.verifyServiceSignature(bodyOf(vector), headersOf(vector), secretsOf(vector)));
        }
        Duration tolerance = Duration.ofSeconds((Long) vector.get("toleranceSeconds"));
        return nameOutcome(vector, () -> Webhooks.verifyServiceSignature(
                bodyOf(vector), headersOf(vector), secretsOf(vector), tolerance, nowOf(vector)));
    }

    /** A verification that may be refused. */
    private interface Verification {
        WebhookEvent verify() throws WebhookRefusedException;
    }

    private static String nameOutcome(Map<String, Object> vector, Verification verification) {
        try {
            Object event = verification.verify().toMap();
            return event.equals(Json.parse((String) vector.get("body"))) ? "accepted" : "another event";
        } catch (WebhookRefusedException refusal) {
            return refusal.getReason().name().toLowerCase(Locale.ROOT);
        }
    }

    private static Map<String, List<String>> headersOf(Map<String, Object> vector) {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        JsonObject.asMembers(vector.get("headers"))
                .forEach((name, value) -> headers.put(name, List.of((String) value)));
        return headers;
    }

    private static byte[] bodyOf(Map<String, Object> vector) {
        return ((String) vector.get("body")).getBytes(StandardCharsets.UTF_8);
    }

    private static Instant nowOf(Map<String, Object> vector) {
        return Instant.ofEpochSecond((Long) vector.get("now"));
    }

    private static Map<String, String> signForService(Map<String, Object> vector) {
        return Webhooks.signServiceSignature(secretsOf(vector).get(0), bodyOf(vector));
    }

    private static Map<String, String> sign(Map<String, Object> vector) {
        return Webhooks.signWebhook(secretsOf(vector).get(0), "evt_1", nowOf(vector), bodyOf(vector));
    }

    private static List<String> secretsOf(Map<String, Object> vector) {
        return JsonObject.asList(JsonObject::asText).apply(vector.get("secrets"));
    }

    private static Double decide(Map<String, Object> vector, Instant now) {
        Map<String, Object> failed = JsonObject.asMembers(vector.get("failed"));
        FailedAttempt attempt = FailedAttempt.withoutAnswer();
        if (failed.get("kind").equals("answer")) {
            int status = ((Long) failed.get("status")).intValue();
            attempt = FailedAttempt.answered(
                    status, (String) failed.get("reason"), (String) failed.get("retryAfter"));
        }
        Repeat repeat = Repeat.valueOf(((String) vector.get("repeat")).toUpperCase(Locale.ROOT));
        RetryPolicy policy = new RetryPolicy(((Long) vector.get("retriesMax")).intValue());
        int retries = ((Long) vector.get("retries")).intValue();
        double chance = ((Number) vector.get("chance")).doubleValue();
        double wait = policy.decideWait(attempt, repeat, retries, chance, now);
        return wait < 0 ? null : (Double) wait;
    }

    private List<Map<String, Object>> callAll(List<Map<String, Object>> vectors)
            throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Callable<Map<String, Object>>> calls = new ArrayList<>();
            for (Map<String, Object> vector : vectors) {
                String address = origin + "/" + calls.size();
                calls.add(() -> call(address, vector));
            }
            List<Map<String, Object>> outcomes = new ArrayList<>();
            for (Future<Map<String, Object>> future : threads.invokeAll(calls)) {
                outcomes.add(future.get());
            }
            return outcomes;
        } finally {
            threads.shutdown();
        }
    }

    private static Map<String, Object> call(String address, Map<String, Object> vector) {
        List<Object> warnings = new ArrayList<>();
        Map<String, Object> outcome = new LinkedHashMap<>(end(address, vector, (names, operation) -> {
            warnings.add(List.of(operation, names));
            if (vector.containsKey("listener")) {
                throw new IllegalStateException("the listener has failed");
            }
        }));
        outcome.put("warnings", warnings);
        return outcome;
    }

    private static Map<String, Object> end(
            String address, Map<String, Object> vector, BiConsumer<List<String>, String> listener) {
        try {
            ClientSettings settings = readSettings(address, membersOf(vector, "settings")).onWarnings(listener);
            PosClient client = new PosClient(settings);
            String operation = (String) vector.get("operation");
            List<String> members = JsonObject.asList(JsonObject::asText).apply(vector.get("members"));
            Object payload = vector.get("payload");
            if (vector.containsKey("iterate")) {
                List<Object> elements = new ArrayList<>();
                client.iterate(operation, members, payload, CallOptions.none()).forEach(elements::add);
                return Map.of("outcome", "answer", "answer", elements);
            }
            Object answer = client.call(operation, members, payload, readOptions(membersOf(vector, "options")));
            return answer == null ? Map.of("outcome", "nothing") : Map.of("outcome", "answer", "answer", answer);
        } catch (PosApiException error) {
            return describe(error);
        } catch (PosConnectionException error) {
            return Map.of("outcome", "connection");
        } catch (PosTimeoutException error) {
            return Map.of("outcome", "timeout");
        } catch (PosAnswerException error) {
            return Map.of("outcome", "malformed");
        } catch (PosUsageException error) {
            return Map.of("outcome", "usage");
        }
    }

    private static Map<String, Object> describe(PosApiException error) {
        Map<String, Object> found = new LinkedHashMap<>();
        found.put("outcome", "api");
        found.put("status", error.getStatus());
        found.put("reason", error.getReasonText());
        found.put("traceId", error.getTraceId());
        found.put("fields", error.getFields());
        found.put("documentation", error.getDocumentation());
        return found;
    }

    private static Map<String, Object> membersOf(Map<String, Object> vector, String name) {
        return vector.containsKey(name) ? JsonObject.asMembers(vector.get(name)) : Map.of();
    }

    private static ClientSettings readSettings(String address, Map<String, Object> found) {
        String baseUrl = (String) found.getOrDefault("baseUrl", address);
        String apiKey = (String) found.getOrDefault("apiKey", "sk_sandbox_1");
        ClientSettings settings = new ClientSettings(baseUrl, apiKey)
                .chance(() -> 0)
                .partners((String) found.get("softwareHouseId"), (String) found.get("resellerId"));
        if (found.containsKey("retriesMax")) {
            settings.retriesMax(((Long) found.get("retriesMax")).intValue());
        }
        if (found.containsKey("timeoutMs")) {
            settings.timeout(Duration.ofMillis((Long) found.get("timeoutMs")));
        }
        if (found.containsKey("attemptTimeoutMs")) {
            settings.attemptTimeout(Duration.ofMillis((Long) found.get("attemptTimeoutMs")));
        }
        return settings;
    }

    private static CallOptions readOptions(Map<String, Object> found) {
        CallOptions options = CallOptions.none()
                .withIdempotencyKey((String) found.get("idempotencyKey"))
                .withCustomerSecret((String) found.get("customerSecret"));
        return found.containsKey("timeoutMs")
                ? options.withTimeout(Duration.ofMillis((Long) found.get("timeoutMs")))
                : options;
    }
}
