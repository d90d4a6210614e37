// Feeds udp_prague's controller a recorded sequence of ACKs and prints what it makes of them. It is
// compiled together with prague_cc.cpp of a checkout, which is no part of this repository.
//
// Input: the packet size and the first rate in bytes per second; then, for each ACK, the time and
// the round-trip time in microseconds, and the packets received, marked and sent so far.
// Output: alpha, and the rate in bytes per second, after each ACK.

#include <cstdio>

#include "prague_cc.h"

class Timed : public PragueCC {
public:
    time_tp now = 1;

    Timed(size_tp packet, rate_tp rate) : PragueCC(packet, 0, 0, rate) {}

    time_tp Now() override { return now; }
};

int main()
{
    unsigned long long packet, rate;
    if (scanf("%llu %llu", &packet, &rate) != 2)
        return 1;
    Timed prague(packet, rate);
    long now, rtt, received, marked, sent;
    while (scanf("%ld %ld %ld %ld %ld", &now, &rtt, &received, &marked, &sent) == 5) {
        prague.now = time_tp(now);
        count_tp in_flight;
        prague.PacketReceived(time_tp(now), time_tp(now - rtt));
        prague.ACKReceived(count_tp(received), count_tp(marked), 0, count_tp(sent), false, in_flight);
        PragueState state;
        prague.GetStats(state);
        printf("%.6f %llu\n", double(state.m_alpha) / double(1 << 20), (unsigned long long)state.m_pacing_rate);
    }
    return 0;
}
