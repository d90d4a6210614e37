package link.reporter;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * What ConnectivityManager says of the default network, as lines of atl's text form
 * (docs/link-information.md). It knows nothing of Android, so that it can be tested without.
 *
 * <p>Android tells neither losses nor delays: a line has the number of handoffs so far, and the rate
 * that Android expects in the direction from this device, if it expects one.
 */
public final class LinkLine {
    private static final long NONE = -1;

    /** The last network that was the default one; it stays while there is none. */
    private long network = NONE;

    private long epoch = 0;
    private long kbps = 0;

    /** NetworkCallback.onAvailable: this network is the default one now. */
    public String available(long handle) {
        if (network != NONE && network != handle) {
            epoch = (epoch + 1) & 0xffff_ffffL;
        }
        network = handle;
        kbps = 0;
        return line();
    }

    /** NetworkCallback.onCapabilitiesChanged; 0 if the rate is not known. */
    public String capabilities(long handle, int upstreamKbps) {
        if (network != handle) {
            available(handle);
        }
        kbps = upstreamKbps;
        return line();
    }

    /** NetworkCallback.onLost: there is no default network. */
    public String lost() {
        kbps = 0;
        return line();
    }

    /** The newest line, without its end. */
    public String line() {
        String rate = kbps > 0 ? "\"rate_bps\":" + kbps * 1000 + ".0," : "";
        return "{" + rate + "\"epoch\":" + epoch + "}";
    }

    /** Replays calls from standard input: `available 7`, `capabilities 7 12000`, `lost`. */
    public static void main(String[] args) throws IOException {
        LinkLine lines = new LinkLine();
        BufferedReader calls =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String call = calls.readLine(); call != null; call = calls.readLine()) {
            String[] words = call.trim().split(" ");
            switch (words[0]) {
                case "available" -> System.out.println(lines.available(Long.parseLong(words[1])));
                case "capabilities" ->
                        System.out.println(
                                lines.capabilities(
                                        Long.parseLong(words[1]), Integer.parseInt(words[2])));
                case "lost" -> System.out.println(lines.lost());
                default -> throw new IllegalArgumentException(call);
            }
        }
    }
}
