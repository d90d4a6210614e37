# Flows over access links of their own and one shared bottleneck, in ns-2.
#
# ns flows.tcl KEY=VALUE... flow=LAW,AGENT,D_W[s],P_W,ACCESS... prints a line for each flow: what it
# sent and what arrived (Mb/s, the first with headers and retransmissions), and its timer's expiries.
#   LAW     tcp, westwood or atl on AGENT (Tahoe, Reno, Newreno, Sack1), or rap, tfrc
#   D_W, P_W  one-way delay in seconds and loss probability of the access link; 0 0: wired
#   ACCESS  rate of the access link, such as 2Mb
# The network is that of the ATL paper's sec. V-A1; what differs from ns-2's defaults is below.

array set o {
    rate 2Mb delay 0.010 queue 50 access_queue {} duration 600 seed 1 jitter 0.1
    bugfix 1 timestamps 0 tick 0.01 minrto 1 window 10000 overhead {} clamp 1 blackout {} roam {} sack_queue {}
}
set specs {}
proc several {key value} {
    global specs
    if {$key ne "flow"} { return 0 }
    lappend specs [split $value ,]
    return 1
}
set here [file dirname [info script]]
source [file join $here network.tcl]
source [file join $here laws.tcl]
read_keys $argv several
set clamp $o(clamp)
set tick $o(tick)
if {$o(access_queue) eq ""} { set o(access_queue) $o(queue) }
proc bits {rate} {
    regexp {^([0-9.]+)(k|M|G)?b$} $rate -> n unit
    expr {$n * ($unit eq "k" ? 1e3 : $unit eq "M" ? 1e6 : $unit eq "G" ? 1e9 : 1)}
}

tcp_defaults

ns-random [expr {$o(seed) * 7919 + 13}]
set ns [new Simulator]
set router [$ns node]
set far [$ns node]
set null [open /dev/null w]
$ns duplex-link $router $far $o(rate) $o(delay) DropTail
$ns queue-limit $router $far $o(queue)
$ns queue-limit $far $router 10000

set i 0
foreach spec $specs {
    foreach {law agent dw pw access} $spec break
    set source [$ns node]
    set sources($i) $source
    $ns duplex-link $source $router $access $dw DropTail
    $ns queue-limit $source $router $o(access_queue)
    $ns queue-limit $router $source 10000
    set sink [$ns node]
    $ns duplex-link $far $sink 1Gb 0 DropTail
    $ns queue-limit $far $sink 10000
    set air($i) [$ns link $source $router]
    set error($i) [new ErrorModel]
    $error($i) unit pkt
    $error($i) set rate_ $pw
    $error($i) ranvar [uniform 0 1]
    $error($i) drop-target [new Agent/Null]
    $ns link-lossmodel $error($i) $source $router
    set wire [expr {1040 * 8}]
    set base [expr {2 * ($dw + $o(delay)) + $wire / [bits $access] + $wire / [bits $o(rate)] + 320 / [bits $access] + 320 / [bits $o(rate)]}]
    set laws($i) $law
    if {$law eq "rap"} {
        set t [new Agent/RAP]
        set k [new Agent/RAP]
        $t set packetSize_ 1040
    } elseif {$law eq "tfrc"} {
        set t [new Agent/TFRC]
        set k [new Agent/TFRCSink]
        # ns-2 adds 32 bytes of header.
        $t set packetSize_ 1008
    } else {
        set t [new Agent/TCP[expr {$agent eq "Tahoe" ? "" : "/$agent"}]]
        set k [new Agent/TCPSink[expr {$agent eq "Sack1" ? "/Sack1" : ""}]]
        # A random overhead of up to a packet time, against phase effects.
        set slowest [expr {min([bits $access], [bits $o(rate)])}]
        $t set overhead_ [expr {$o(overhead) eq "" ? $wire / $slowest : $o(overhead)}]
    }
    $ns attach-agent $source $t
    $ns attach-agent $sink $k
    $ns connect $t $k
    $t set fid_ $i
    set start [[uniform 0 $o(jitter)] value]
    set tcp($i) $t
    if {$law in {rap tfrc}} {
        $ns at $start "$t start"
    } else {
        set ftp [new Application/FTP]
        $ftp attach-agent $t
        $ns at $start "$ftp start"
    }
    if {$law in {westwood atl}} {
        law_start $i $law $t $dw $pw $base
        at_end $router $source "law_line $i"
    }
    set sent($i) [$ns monitor-queue $source $router ""]
    set got($i) [$ns monitor-queue $far $sink ""]
    incr i
}

# The first flow's link carries nothing in either direction from AT for LASTS: blackout=AT,LASTS.
if {$o(blackout) ne ""} {
    foreach {at lasts} [split $o(blackout) ,] break
    set back [new ErrorModel]
    $back unit pkt
    $back set rate_ 0
    $back ranvar [uniform 0 1]
    $back drop-target [new Agent/Null]
    $ns link-lossmodel $back $router $sources(0)
    $ns at $at "$error(0) set rate_ 1; $back set rate_ 1"
    $ns at [expr {$at + $lasts}] "$error(0) set rate_ [lindex [lindex $specs 0] 3]; $back set rate_ 0"
}
# Vertical handoffs of the first flow: roam=AT,D_W,P_W;...
proc move {dw pw} {
    global air error f ns tcp laws o tick
    [$air(0) link] set delay_ $dw
    $error(0) set rate_ $pw
    if {$laws(0) eq "atl"} {
        # R moves by twice the difference (eq. 3), and what was sent before no longer counts.
        set shift [expr {2 * ($dw - $f(0,dw))}]
        $tcp(0) set srtt_ [expr {max(8, [$tcp(0) set srtt_] + (int($shift / $tick) << 3))}]
        set f(0,base) [expr {$f(0,base) + $shift}]
        set f(0,dw) $dw
        set f(0,pw) $pw
        set f(0,history) {}
        set f(0,due) 0.0
    }
}
foreach step [split $o(roam) ";"] {
    foreach {at dw pw} [split $step ,] break
    $ns at $at "move $dw $pw"
}

$ns at $o(duration) finish
proc finish {} {
    global i o laws tcp sent got
    for {set k 0} {$k < $i} {incr k} {
        set scale [expr {8.0 / $o(duration) / 1e6}]
        set expiries -
        # What the source's own queue drops has not left it.
        set wire [expr {[$sent($k) set bdepartures_] * $scale}]
        if {$laws($k) in {rap tfrc}} {
            set good [expr {[$got($k) set bdepartures_] * 1000.0 / 1040 * $scale}]
        } else {
            set good [expr {[$tcp($k) set ack_] * 1000 * $scale}]
            set expiries [$tcp($k) set nrexmit_]
        }
        puts [format "%s %.4f %.4f %s" $laws($k) $wire $good $expiries]
    }
    exit 0
}
$ns run
