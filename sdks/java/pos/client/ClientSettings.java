package pos.client;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiConsumer;
import java.util.function.DoubleSupplier;

/** How a client calls. Each method sets a value and returns these settings. */
public final class ClientSettings {
    final String baseUrl;
    final String apiKey;
    String softwareHouseId;
    String resellerId;
    String version = Operations.NEWEST_RELEASE;
    int retriesMax = 4;
    Duration timeout = Duration.ofSeconds(60);
    Duration attemptTimeout = Duration.ofSeconds(30);
    DoubleSupplier chance = () -> ThreadLocalRandom.current().nextDouble();
    BiConsumer<List<String>, String> onWarnings = ClientSettings::logWarnings;

    /** Throws {@link PosUsageException} for an address or a key that cannot work. */
    public ClientSettings(String baseUrl, String apiKey) {
        if (!isHttpAddress(baseUrl)) {
            throw new PosUsageException("baseUrl is no http address");
        }
        if (apiKey == null || !apiKey.matches("[!-~]+")) {
            throw new PosUsageException("apiKey is empty, or has characters that no key has");
        }
        this.baseUrl = baseUrl.replaceAll("/+$", "");
        this.apiKey = apiKey;
    }

    /** Operations of card machines need the ids of both partners. */
    public ClientSettings partners(String softwareHouse, String reseller) {
        softwareHouseId = softwareHouse;
        resellerId = reseller;
        return this;
    }

    /** The release of the API; the types describe the newest, which is the default. */
    public ClientSettings version(String release) {
        version = release;
        return this;
    }

    /** 4 by default; 0: no retries. */
    public ClientSettings retriesMax(int count) {
        if (count < 0) {
            throw new PosUsageException("retriesMax must be at least 0");
        }
        retriesMax = count;
        return this;
    }

    /** The limit of a call with all its retries and waits: 60 seconds by default. */
    public ClientSettings timeout(Duration limit) {
        timeout = requireTime("timeout", limit);
        return this;
    }

    /** The limit of one attempt: 30 seconds by default. */
    public ClientSettings attemptTimeout(Duration limit) {
        attemptTimeout = requireTime("attemptTimeout", limit);
        return this;
    }

    /** From 0 to 1, for the jitter of waits. */
    public ClientSettings chance(DoubleSupplier source) {
        chance = source;
        return this;
    }

    /**
     * Receives what the service has noticed about a call and not refused, and the name of the operation:
     * {@code unknown_member:captureMod} is a member that it does not know, and {@code ignored_member:autoExpireIn} one
     * without effect. By default they are logged by the {@link System.Logger} {@code pos.client}.
     */
    public ClientSettings onWarnings(BiConsumer<List<String>, String> listener) {
        onWarnings = Objects.requireNonNull(listener);
        return this;
    }

    private static void logWarnings(List<String> warnings, String operation) {
        Sender.LOG.log(System.Logger.Level.WARNING, operation + ": " + String.join(", ", warnings));
    }

    static Duration requireTime(String name, Duration limit) {
        if (limit.isZero() || limit.isNegative()) {
            throw new PosUsageException(name + " is no time");
        }
        return limit;
    }

    private static boolean isHttpAddress(String address) {
        try {
            URI uri = URI.create(address);
            boolean isHttp = "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
            return isHttp && uri.getHost() != null;
        } catch (IllegalArgumentException | NullPointerException error) {
            return false;
        }
    }
}
