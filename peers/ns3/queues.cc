// A queue discipline of ns-3 ahead of a transmitter, under arrivals that do not react. Prints
// throughput, mean time in the queue and the share dropped, all after the warm-up.
//
// usage: queues DISCIPLINE MBPS LOAD SECONDS WARMUP SEED

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/traffic-control-module.h"

using namespace ns3;

namespace
{

const uint32_t PACKET_BYTES = 1000;

// SplitMix64: the test beside it draws the same numbers.
struct Numbers
{
    uint64_t state;

    uint64_t Next()
    {
        state += 0x9e3779b97f4a7c15ULL;
        uint64_t z = state;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }

    // Uniform below `bound`.
    uint64_t Below(uint64_t bound)
    {
        return static_cast<uint64_t>((static_cast<unsigned __int128>(Next()) * bound) >> 64);
    }
};

struct Bench
{
    Ptr<QueueDisc> queue;
    Numbers numbers;
    uint64_t packetNs;   // Time that a packet takes.
    uint64_t meanGapNs;  // From arrival to arrival.
    Time warmup;
    bool busy = false;
    uint64_t left = 0, offered = 0, waited = 0;
    double delay = 0;

    void Arrive()
    {
        Simulator::Schedule(NanoSeconds(numbers.Below(2 * meanGapNs)), &Bench::Arrive, this);
        // Half of the packets are of flow 0, the others of flows 1 to 3.
        uint64_t flow = numbers.Below(6);
        flow = flow < 3 ? 0 : flow - 2;
        bool counts = Simulator::Now() >= warmup;
        offered += counts;
        if (!busy)
        {
            left += counts;
            Transmit();
            return;
        }
        Ipv4Header header;
        header.SetSource(Ipv4Address(0x0a000001 + flow));
        header.SetDestination(Ipv4Address("10.0.1.1"));
        header.SetProtocol(17);
        header.SetPayloadSize(PACKET_BYTES - 20);
        // The header is not part of the packet, but of its length.
        auto item = Create<Ipv4QueueDiscItem>(Create<Packet>(PACKET_BYTES - 20),
                                              Address(),
                                              0x0800,
                                              header);
        queue->Enqueue(item);
    }

    void Transmit()
    {
        busy = true;
        Simulator::Schedule(NanoSeconds(packetNs), &Bench::Done, this);
    }

    void Done()
    {
        auto item = queue->Dequeue();
        if (!item)
        {
            busy = false;
            return;
        }
        if (Simulator::Now() >= warmup)
        {
            left++;
            waited++;
            delay += (Simulator::Now() - item->GetTimeStamp()).GetSeconds();
        }
        Transmit();
    }
};

Ptr<QueueDisc> Make(const std::string& name)
{
    if (name == "red")
    {
        auto red = CreateObject<RedQueueDisc>();
        red->SetAttribute("MaxSize", StringValue("200p"));
        red->SetAttribute("MinTh", DoubleValue(20));
        red->SetAttribute("MaxTh", DoubleValue(60));
        red->SetAttribute("LInterm", DoubleValue(10));
        red->SetAttribute("QW", DoubleValue(0.002));
        red->SetAttribute("Gentle", BooleanValue(true));
        // Drops as the paper's analysis has them: uniform from 1 to 1/p_b apart.
        red->SetAttribute("Wait", BooleanValue(false));
        red->SetAttribute("MeanPktSize", UintegerValue(PACKET_BYTES));
        return red;
    }
    if (name == "codel")
    {
        auto codel = CreateObject<CoDelQueueDisc>();
        codel->SetAttribute("MaxSize", StringValue("1000p"));
        codel->SetAttribute("MinBytes", UintegerValue(1514));
        return codel;
    }
    if (name == "pie")
    {
        auto pie = CreateObject<PieQueueDisc>();
        pie->SetAttribute("MaxSize", StringValue("1000p"));
        pie->SetAttribute("MeanPktSize", UintegerValue(PACKET_BYTES));
        pie->SetAttribute("QueueDelayReference", TimeValue(MilliSeconds(15)));
        pie->SetAttribute("Tupdate", TimeValue(MilliSeconds(15)));
        pie->SetAttribute("MaxBurstAllowance", TimeValue(MilliSeconds(150)));
        pie->SetAttribute("UseDerandomization", BooleanValue(true));
        pie->SetAttribute("UseCapDropAdjustment", BooleanValue(true));
        pie->SetAttribute("UseDequeueRateEstimator", BooleanValue(false));
        return pie;
    }
    if (name == "fq-codel")
    {
        auto fq = CreateObject<FqCoDelQueueDisc>();
        fq->SetAttribute("MaxSize", StringValue("10240p"));
        fq->SetQuantum(1514);
        return fq;
    }
    if (name == "cobalt")
    {
        auto cobalt = CreateObject<CobaltQueueDisc>();
        // Too long to overflow: there BLUE acts, which Linux lets decay in another way.
        cobalt->SetAttribute("MaxSize", StringValue("100000p"));
        // Linux has no threshold above which BLUE acts without an overflow.
        cobalt->SetAttribute("BlueThreshold", TimeValue(Seconds(1000)));
        return cobalt;
    }
    std::fprintf(stderr, "no such discipline: %s\n", name.c_str());
    std::exit(2);
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 7)
    {
        std::fprintf(stderr, "usage: queues DISCIPLINE MBPS LOAD SECONDS WARMUP SEED\n");
        return 2;
    }
    std::string name = argv[1];
    double mbps = std::atof(argv[2]), load = std::atof(argv[3]), seconds = std::atof(argv[4]);
    uint64_t seed = std::strtoull(argv[6], nullptr, 10);
    RngSeedManager::SetSeed(1 + seed);
    Bench bench{Make(name), Numbers{seed}};
    bench.packetNs = static_cast<uint64_t>(PACKET_BYTES * 8e3 / mbps + 0.5);
    bench.meanGapNs = static_cast<uint64_t>(bench.packetNs / load + 0.5);
    bench.warmup = Seconds(std::atof(argv[5]));
    bench.queue->Initialize();
    Simulator::Schedule(Seconds(0), &Bench::Arrive, &bench);
    Simulator::Stop(Seconds(seconds));
    Simulator::Run();
    double time = seconds - bench.warmup.GetSeconds();
    std::printf("%s,%s,%s,%s,%.4f,%.4f,%.5f\n",
                argv[1],
                argv[2],
                argv[3],
                argv[6],
                bench.left * PACKET_BYTES * 8e-6 / time,
                1e3 * bench.delay / bench.waited,
                1.0 - static_cast<double>(bench.left) / bench.offered);
    Simulator::Destroy();
    return 0;
}
