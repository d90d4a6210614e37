package link.reporter;

import android.app.Notification;
import android.app.NotificationChannel;
import android.app.NotificationManager;
import android.app.Service;
import android.content.Intent;
import android.net.ConnectivityManager;
import android.net.Network;
import android.net.NetworkCapabilities;
import android.os.IBinder;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Serves the lines of {@link LinkLine} on 127.0.0.1:8104: to each program that connects the newest
 * one, and then each new one. Apps of this device can read them, and nobody else; they say nothing
 * but the rate and how often the network has changed.
 */
public final class LinkService extends Service {
    private static final int PORT = 8104;
    private static final int CLIENTS = 8;
    private static final String CHANNEL = "link";

    private final LinkLine lines = new LinkLine();
    private final List<Socket> clients = new ArrayList<>();
    private ServerSocket server;

    private final ConnectivityManager.NetworkCallback callback =
            new ConnectivityManager.NetworkCallback() {
                @Override
                public void onAvailable(Network network) {
                    tell(() -> lines.available(network.getNetworkHandle()));
                }

                @Override
                public void onCapabilitiesChanged(Network network, NetworkCapabilities can) {
                    int up = can.getLinkUpstreamBandwidthKbps();
                    tell(() -> lines.capabilities(network.getNetworkHandle(), up));
                }

                @Override
                public void onLost(Network network) {
                    tell(lines::lost);
                }
            };

    @Override
    public void onCreate() {
        NotificationManager notes = getSystemService(NotificationManager.class);
        notes.createNotificationChannel(
                new NotificationChannel(CHANNEL, "Link information", NotificationManager.IMPORTANCE_MIN));
        Notification note =
                new Notification.Builder(this, CHANNEL)
                        .setContentTitle("Link information on port " + PORT)
                        .setSmallIcon(android.R.drawable.stat_notify_sync)
                        .build();
        startForeground(1, note);
        new Thread(this::serve, "link").start();
        getSystemService(ConnectivityManager.class).registerDefaultNetworkCallback(callback);
    }

    @Override
    public void onDestroy() {
        getSystemService(ConnectivityManager.class).unregisterNetworkCallback(callback);
        synchronized (clients) {
            close(server);
            clients.forEach(LinkService::close);
            clients.clear();
        }
    }

    private void serve() {
        try (ServerSocket socket =
                new ServerSocket(PORT, CLIENTS, InetAddress.getByName("127.0.0.1"))) {
            synchronized (clients) {
                server = socket;
            }
            while (true) {
                Socket client = socket.accept();
                synchronized (clients) {
                    if (clients.size() == CLIENTS) {
                        close(clients.remove(0));
                    }
                    if (write(client, lines.line())) {
                        clients.add(client);
                    }
                }
            }
        } catch (IOException ended) {
            // The service has ended, or something else has the port.
            stopSelf();
        }
    }

    /** Callbacks come one after another, on a thread of the system's. */
    private void tell(Supplier<String> change) {
        synchronized (clients) {
            String line = change.get();
            clients.removeIf(client -> !write(client, line));
        }
    }

    private static boolean write(Socket client, String line) {
        try {
            OutputStream out = client.getOutputStream();
            out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            return true;
        } catch (IOException gone) {
            close(client);
            return false;
        }
    }

    private static void close(java.io.Closeable what) {
        try {
            if (what != null) {
                what.close();
            }
        } catch (IOException already) {
            // It is closed either way.
        }
    }

    @Override
    public IBinder onBind(Intent intent) {
        return null;
    }
}
