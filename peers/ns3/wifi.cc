// Stations around an access point, all with more to send than the channel takes: goodput at the
// access point, and the share of MPDUs that fail. Everything is ns-3's: PHY, channel, DCF, block
// acknowledgments, aggregation.
//
// usage: wifi STANDARD MODE WIDTH_MHZ GUARD_NS DISTANCE_M STATIONS SECONDS SEED [ATTEMPTS]
//
// A station gives MPDUs up after ATTEMPTS failed attempts in a row (MaxSsrc; 7 in ns-3), and then asks
// for a block acknowledgment in a frame that contends for the channel. With 20 it hardly ever does.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/mobility-module.h"
#include "ns3/network-module.h"
#include "ns3/wifi-module.h"

using namespace ns3;

namespace
{

// An IP packet, on top of which come LLC/SNAP, the MAC header and the check sequence.
const uint32_t PACKET_BYTES = 1500;
const double WARMUP_S = 1.0;

uint64_t received = 0;
uint64_t acked = 0;
uint64_t failed = 0;

void
Receive(Ptr<const Packet> packet, const Address&)
{
    if (Simulator::Now() >= Seconds(WARMUP_S))
    {
        received += packet->GetSize();
    }
}

void
Acked(Ptr<const WifiMpdu>)
{
    acked += Simulator::Now() >= Seconds(WARMUP_S);
}

void
Failed(Ptr<const WifiMpdu>)
{
    failed += Simulator::Now() >= Seconds(WARMUP_S);
}

} // namespace

int
main(int argc, char** argv)
{
    if (argc != 9 && argc != 10)
    {
        std::fprintf(stderr,
                     "usage: wifi STANDARD MODE WIDTH_MHZ GUARD_NS DISTANCE_M STATIONS SECONDS SEED "
                     "[ATTEMPTS]\n");
        return 2;
    }
    const std::string standard = argv[1], mode = argv[2];
    const int width = std::atoi(argv[3]), guard = std::atoi(argv[4]);
    const double distance = std::atof(argv[5]);
    const uint32_t count = std::atoi(argv[6]);
    const double seconds = std::atof(argv[7]);
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(std::atoi(argv[8]));

    // Frames are sent again, not asked about; none is too old to be sent.
    Config::SetDefault("ns3::QosTxop::UseExplicitBarAfterMissedBlockAck", BooleanValue(false));
    Config::SetDefault("ns3::WifiMacQueue::MaxDelay", TimeValue(Seconds(100)));

    if (argc == 10)
    {
        Config::SetDefault("ns3::WifiRemoteStationManager::MaxSsrc",
                           UintegerValue(std::atoi(argv[9])));
    }

    NodeContainer stations, ap;
    stations.Create(count);
    ap.Create(1);

    WifiHelper wifi;
    wifi.SetStandard(standard == "n"    ? WIFI_STANDARD_80211n
                     : standard == "ac" ? WIFI_STANDARD_80211ac
                                        : WIFI_STANDARD_80211ax);
    wifi.SetRemoteStationManager("ns3::ConstantRateWifiManager",
                                 "DataMode",
                                 StringValue(mode),
                                 "ControlMode",
                                 StringValue("OfdmRate24Mbps"),
                                 "RtsCtsThreshold",
                                 UintegerValue(4692480));
    YansWifiPhyHelper phy;
    phy.SetChannel(YansWifiChannelHelper::Default().Create());
    phy.Set("ChannelSettings", StringValue("{0, " + std::to_string(width) + ", BAND_5GHZ, 0}"));

    WifiMacHelper mac;
    Ssid ssid("cell");
    mac.SetType("ns3::StaWifiMac",
                "Ssid",
                SsidValue(ssid),
                "QosSupported",
                BooleanValue(true),
                "BE_MaxAmpduSize",
                UintegerValue(65535));
    NetDeviceContainer devices = wifi.Install(phy, mac, stations);
    mac.SetType("ns3::ApWifiMac", "Ssid", SsidValue(ssid), "QosSupported", BooleanValue(true));
    NetDeviceContainer apDevice = wifi.Install(phy, mac, ap);
    const std::string base = "/NodeList/*/DeviceList/*/$ns3::WifiNetDevice/";
    Config::Set(base + "HtConfiguration/ShortGuardIntervalSupported", BooleanValue(guard == 400));
    if (standard == "ax")
    {
        Config::Set(base + "HeConfiguration/GuardInterval", TimeValue(NanoSeconds(guard)));
    }

    // On a circle: no frame is so much stronger than another that it survives a collision. Where
    // those across would not hear each other, close together on an arc.
    const double turn = distance < 10 ? 2 * M_PI / count : 0.01;
    auto places = CreateObject<ListPositionAllocator>();
    for (uint32_t i = 0; i < count; i++)
    {
        const double angle = turn * i;
        places->Add(Vector(distance * std::cos(angle), distance * std::sin(angle), 0));
    }
    places->Add(Vector(0, 0, 0));
    MobilityHelper mobility;
    mobility.SetMobilityModel("ns3::ConstantPositionMobilityModel");
    mobility.SetPositionAllocator(places);
    mobility.Install(stations);
    mobility.Install(ap);

    PacketSocketHelper sockets;
    sockets.Install(stations);
    sockets.Install(ap);
    // Half as much again as the mode carries, shared by all.
    const WifiMode data(mode);
    const double bps = data.GetDataRate(width, guard, 1);
    for (uint32_t i = 0; i < count; i++)
    {
        PacketSocketAddress to;
        to.SetSingleDevice(devices.Get(i)->GetIfIndex());
        to.SetPhysicalAddress(apDevice.Get(0)->GetAddress());
        to.SetProtocol(1);
        auto client = CreateObject<PacketSocketClient>();
        client->SetRemote(to);
        client->SetAttribute("PacketSize", UintegerValue(PACKET_BYTES));
        client->SetAttribute("MaxPackets", UintegerValue(0));
        client->SetAttribute("Interval", TimeValue(Seconds(PACKET_BYTES * 8 * count / (1.5 * bps))));
        stations.Get(i)->AddApplication(client);
        client->SetStartTime(Seconds(0.3 + 0.01 * i));
    }
    PacketSocketAddress here;
    here.SetSingleDevice(apDevice.Get(0)->GetIfIndex());
    here.SetProtocol(1);
    auto server = CreateObject<PacketSocketServer>();
    server->SetLocal(here);
    ap.Get(0)->AddApplication(server);
    server->TraceConnectWithoutContext("Rx", MakeCallback(&Receive));
    for (uint32_t i = 0; i < count; i++)
    {
        auto station = DynamicCast<WifiNetDevice>(devices.Get(i))->GetMac();
        station->TraceConnectWithoutContext("AckedMpdu", MakeCallback(&Acked));
        station->TraceConnectWithoutContext("NAckedMpdu", MakeCallback(&Failed));
    }

    Simulator::Stop(Seconds(WARMUP_S + seconds));
    Simulator::Run();
    std::printf("%s,%s,%.1f,%g,%u,%s,%.3f,%.5f\n",
                standard.c_str(),
                mode.c_str(),
                bps / 1e6,
                distance,
                count,
                argv[8],
                received * 8 / seconds / 1e6,
                acked + failed ? double(failed) / (acked + failed) : 0.0);
    Simulator::Destroy();
    return 0;
}
