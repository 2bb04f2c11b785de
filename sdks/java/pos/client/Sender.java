package pos.client;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import pos.client.RetryPolicy.FailedAttempt;
import pos.client.RetryPolicy.Repeat;

/** Sends calls. The request of a call is built once, with its key, before the first attempt. */
final class Sender {
    static final System.Logger LOG = System.getLogger("pos.client");

    private static final Pattern MEMBER = Pattern.compile("\\{(\\w+)\\}");

    private final ClientSettings settings;
    private final RetryPolicy policy;
    // A redirect is an answer like any other: following it would send the API key to another address.
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    Sender(ClientSettings settings) {
        this.settings = settings;
        policy = new RetryPolicy(settings.retriesMax);
    }

    /** Sends a call until it has an answer, or no further attempt is safe or in time. The answer 204 is null. */
    Object send(Operation operation, List<String> members, Object payload, CallOptions options) {
        Duration limit = options.timeout == null ? settings.timeout : options.timeout;
        ClientSettings.requireTime(operation.getId() + ": timeout", limit);
        HttpRequest request = buildRequest(operation, members, payload, options);
        long end = System.nanoTime() + limit.toNanos();
        for (int retries = 0; ; retries += 1) {
            Attempt attempt = attempt(operation, request, end);
            if (attempt.error == null) {
                return attempt.answer;
            }
            double wait = policy.decideWait(
                    attempt.failed, operation.getRepeat(), retries, settings.chance.getAsDouble(), Instant.now());
            long waitNanos = (long) (wait * 1_000_000);
            if (wait < 0 || System.nanoTime() + waitNanos - end >= 0) {
                throw attempt.error;
            }
            pause(operation, waitNanos);
        }
    }

    /** An answer, or how the attempt failed and its error. */
    private static final class Attempt {
        final Object answer;
        final FailedAttempt failed;
        final PosException error;

        Attempt(Object answer, FailedAttempt failed, PosException error) {
            this.answer = answer;
            this.failed = failed;
            this.error = error;
        }
    }

    private Attempt attempt(Operation operation, HttpRequest request, long end) {
        String name = operation.getId();
        long limit = Math.min(settings.attemptTimeout.toNanos(), end - System.nanoTime());
        // The limit of the request closes the connection, and ends with the headers; that of the future includes the body.
        CompletableFuture<HttpResponse<String>> future =
                http.sendAsync(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
        HttpResponse<String> response;
        try {
            response = future.get(limit, TimeUnit.NANOSECONDS);
        } catch (TimeoutException cause) {
            future.cancel(true);
            PosException error = new PosTimeoutException(name + ": no answer in time", cause);
            return new Attempt(null, FailedAttempt.withoutAnswer(), error);
        } catch (ExecutionException cause) {
            return new Attempt(null, FailedAttempt.withoutAnswer(), explain(name, cause.getCause()));
        } catch (InterruptedException cause) {
            future.cancel(true);
            throw interrupt(name, cause);
        }
        int status = response.statusCode();
        reportWarnings(name, response.headers().firstValue("warnings").orElse(""));
        if (status >= 200 && status < 300) {
            return new Attempt(readAnswer(name, status, response.body()), null, null);
        }
        String traceId = response.headers().firstValue("trace-id").orElse(null);
        PosApiException error = new PosApiException(name, status, traceId, response.body(), settings.baseUrl);
        String retryAfter = response.headers().firstValue("retry-after").orElse(null);
        return new Attempt(null, FailedAttempt.answered(status, error.getReasonText(), retryAfter), error);
    }

    /** A listener that fails must not hide the answer: the money may have moved. */
    private void reportWarnings(String name, String sent) {
        if (sent.isEmpty()) {
            return;
        }
        try {
            settings.onWarnings.accept(List.of(sent.split(", ")), name);
        } catch (RuntimeException failure) {
            LOG.log(System.Logger.Level.ERROR, name + ": onWarnings has failed", failure);
        }
    }

    private static PosException explain(String name, Throwable cause) {
        if (cause instanceof HttpTimeoutException) {
            return new PosTimeoutException(name + ": no answer in time", cause);
        }
        if (cause instanceof IOException) {
            return new PosConnectionException(name + ": no answer", cause);
        }
        throw new IllegalStateException(cause);
    }

    private static Object readAnswer(String name, int status, String body) {
        if (status == 204) {
            return null;
        }
        try {
            return Json.parse(body);
        } catch (IllegalArgumentException error) {
            throw new PosAnswerException(name + ": " + status + " without JSON");
        }
    }

    private HttpRequest buildRequest(Operation operation, List<String> members, Object payload, CallOptions options) {
        String name = operation.getId();
        String query = operation.getInput() == Operation.Input.QUERY ? buildQuery(payload) : "";
        URI address = URI.create(settings.baseUrl + buildPath(operation, members) + query);
        HttpRequest.Builder request = HttpRequest.newBuilder(address)
                .timeout(settings.attemptTimeout)
                .header("accept", "application/json, application/problem+json")
                .header("version", settings.version)
                .header("user-agent", "pos-sdk-java");
        if (operation.takesApiKey()) {
            request.header("authorization", "Bearer " + settings.apiKey);
        }
        if (operation.takesPartners()) {
            if (settings.softwareHouseId == null || settings.resellerId == null) {
                throw new PosUsageException(name + " needs partners");
            }
            request.header("software-house-id", settings.softwareHouseId).header("reseller-id", settings.resellerId);
        }
        if (operation.takesCustomerSecret()) {
            if (options.customerSecret == null || options.customerSecret.isEmpty()) {
                throw new PosUsageException(name + " needs the option customerSecret");
            }
            request.header("authorization", "Basic " + options.customerSecret);
        }
        String key = chooseKey(operation, options.idempotencyKey);
        if (key != null) {
            request.header("idempotencyKey", key);
        }
        if (operation.getInput() != Operation.Input.BODY) {
            return request.method(operation.getMethod(), HttpRequest.BodyPublishers.noBody()).build();
        }
        HttpRequest.BodyPublisher body = HttpRequest.BodyPublishers.ofString(Json.write(payload));
        return request.header("content-type", "application/json").method(operation.getMethod(), body).build();
    }

    /** One key for all attempts of a call: a second key would make a second operation. */
    private static String chooseKey(Operation operation, String key) {
        if (key == null) {
            return operation.getRepeat() == Repeat.KEY ? UUID.randomUUID().toString() : null;
        }
        // Silence would let the caller trust in a key that nobody reads.
        if (operation.getRepeat() != Repeat.KEY) {
            throw new PosUsageException(operation.getId() + " takes no idempotencyKey");
        }
        if (!key.matches("[!-~]{1,100}")) {
            throw new PosUsageException(
                    operation.getId() + ": idempotencyKey must be 1 to 100 visible ASCII characters");
        }
        return key;
    }

    private static String buildPath(Operation operation, List<String> members) {
        Iterator<String> values = members.iterator();
        Matcher matcher = MEMBER.matcher(operation.getPath());
        return matcher.replaceAll(match -> {
            String value = values.hasNext() ? values.next() : "";
            // An empty member would address another operation, and so would `.` and `..`, which proxies resolve.
            if (value == null || List.of("", ".", "..").contains(value)) {
                throw new PosUsageException(operation.getId() + " needs " + match.group(1));
            }
            return Matcher.quoteReplacement(encode(value));
        });
    }

    private static String buildQuery(Object payload) {
        StringBuilder query = new StringBuilder();
        Object members = payload instanceof JsonObject ? ((JsonObject) payload).toMap() : payload;
        if (members instanceof Map) {
            ((Map<?, ?>) members).forEach((name, value) -> {
                for (Object each : value instanceof List ? (List<?>) value : List.of(value == null ? "" : value)) {
                    if (value != null) {
                        query.append(query.length() == 0 ? '?' : '&').append(encode(name.toString()));
                        query.append('=').append(encode(each.toString()));
                    }
                }
            });
        }
        return query.toString();
    }

    private static String encode(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static void pause(Operation operation, long nanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
        } catch (InterruptedException cause) {
            throw interrupt(operation.getId(), cause);
        }
    }

    private static PosException interrupt(String name, InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new PosConnectionException(name + ": interrupted", cause);
    }
}
