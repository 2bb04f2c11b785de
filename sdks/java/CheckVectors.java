import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Scanner;
import pos.webhooks.WebhookRefusedException;
import pos.webhooks.WebhookVerifier;

/**
 * Prints what the verifier says to each delivery of the input. A line is a delivery: now, tolerance, body, the number of
 * secrets, the secrets, then the names and values of its headers, separated by spaces. Texts are base64.
 */
public final class CheckVectors {
    public static void main(String[] arguments) {
        Scanner input = new Scanner(System.in, StandardCharsets.UTF_8);
        while (input.hasNextLine()) {
            System.out.println(check(input.nextLine().split(" ", -1)));
        }
    }

    private static String check(String[] parts) {
        Instant now = Instant.ofEpochSecond(Long.parseLong(parts[0]));
        Duration tolerance = Duration.ofSeconds(Long.parseLong(parts[1]));
        int count = Integer.parseInt(parts[3]);
        List<String> secrets = new ArrayList<>();
        for (int at = 4; at < 4 + count; at += 1) {
            secrets.add(decode(parts[at]));
        }
        Map<String, List<String>> headers = new HashMap<>();
        for (int at = 4 + count; at < parts.length; at += 2) {
            headers.put(decode(parts[at]), List.of(decode(parts[at + 1])));
        }
        try {
            WebhookVerifier.verify(Base64.getDecoder().decode(parts[2]), headers, secrets, tolerance, now);
            return "accepted";
        } catch (WebhookRefusedException refusal) {
            return refusal.getReason().name().toLowerCase(Locale.ROOT);
        }
    }

    private static String decode(String text) {
        return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
    }
}
