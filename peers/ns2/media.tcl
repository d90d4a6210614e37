# The ARC paper's sources in ns-2: each behind a link of its own, all over one bottleneck.
#
# ns media.tcl KEY=VALUE... flow=COUNT,LAW,P_LOSS... prints `GROUP WINDOW METRIC VALUE` for each group
# of flows of one law and each window of time: their mean throughput and goodput in b/s, Jain's index
# of the data received, and with observe=1 of the first flow the mean difference between gaps of its
# arrivals (s) and the changes of its rate by more than 10 % (1/s).
#   LAW     arc, tfrc, newreno
#   P_LOSS  of the flow's own link; 0: wired
# The network is that of scenarios/arc.

array set o {
    rate 8.32Mb air 0.010 delay 0.010 queue 50 duration 120 seed 1 jitter 0.01 target 1000 count packets
    bugfix 1 timestamps 0 tick 0.01 minrto 1 window 10000 windows 20-120 errors {} observe 0
}
set specs {}
proc several {key value} {
    global specs
    if {$key ne "flow"} { return 0 }
    foreach {count law p} [split $value ,] break
    for {set k 0} {$k < $count} {incr k} { lappend specs [list $law $p] }
    return 1
}
set here [file dirname [info script]]
source [file join $here network.tcl]
source [file join $here arc.tcl]
read_keys $argv several
tcp_defaults
set count $o(count)

ns-random [expr {$o(seed) * 7919 + 13}]
set ns [new Simulator]
set null [open /dev/null w]
set router [$ns node]
set far [$ns node]
$ns simplex-link $router $far $o(rate) $o(delay) dsRED/core
$ns simplex-link $far $router $o(rate) $o(delay) DropTail
two_bands [[$ns link $router $far] queue] $o(queue)
$ns queue-limit $router $far [expr {4 * $o(queue)}]
$ns queue-limit $far $router 10000

set packet [expr {1040 * 8 / 8.32e6}]
set i 0
foreach spec $specs {
    foreach {law p} $spec break
    set source [$ns node]
    $ns duplex-link $source $router $o(rate) $o(air) DropTail
    $ns queue-limit $source $router $o(queue)
    $ns queue-limit $router $source 10000
    set sink [$ns node]
    $ns duplex-link $far $sink 1Gb 0 DropTail
    $ns queue-limit $far $sink 10000
    set error($i) [new ErrorModel]
    $error($i) unit pkt
    $error($i) set rate_ $p
    $error($i) ranvar [uniform 0 1]
    $error($i) drop-target [new Agent/Null]
    $ns link-lossmodel $error($i) $source $router
    set laws($i) $law
    set start [[uniform 0 $o(jitter)] value]
    if {$law eq "arc"} {
        arc_new $i $source $sink $error($i) $o(target) [uniform 0 $packet]
        $ns at $start "arc_start $i"
    } elseif {$law eq "tfrc"} {
        set t [new Agent/TFRC]
        set k [new Agent/TFRCSink]
        # ns-2 adds 32 bytes of header.
        $t set packetSize_ 1008
        if {$o(target) < 1000} {
            # A source that has no more to send than its target.
            set app [new Application/Traffic/CBR]
            $app set packetSize_ 1008
            $app set interval_ [expr {1.0 / $o(target)}]
            $app set random_ 1
        } else {
            set app [new Application/FTP]
        }
    } else {
        set t [new Agent/TCP/Newreno]
        set k [new Agent/TCPSink]
        $t set overhead_ $packet
        set app [new Application/FTP]
    }
    if {$law ne "arc"} {
        $ns attach-agent $source $t
        $ns attach-agent $sink $k
        $ns connect $t $k
        $t set fid_ $i
        set agents($i) $t
        $app attach-agent $t
        $ns at $start "$app start"
    }
    set sent($i) [$ns monitor-queue $source $router ""]
    set got($i) [$ns monitor-queue $far $sink ""]
    if {$i == 0 && $o(observe)} { at_end $far $sink arrived }
    incr i
}
foreach step [split $o(errors) ";"] {
    foreach {at p} [split $step ,] break
    for {set k 0} {$k < $i} {incr k} { $ns at $at "$error($k) set rate_ $p" }
}

# What the first flow's sink saw, and the rate at which it may send, five times a second.
array set seen {last -1 gap -1 sum 0.0 n 0 rate 0 changes 0}
proc arrived {line} {
    global seen
    foreach {- now - - type} $line break
    if {$seen(last) >= 0} {
        set gap [expr {$now - $seen(last)}]
        if {$seen(gap) >= 0} {
            set seen(sum) [expr {$seen(sum) + abs($gap - $seen(gap))}]
            incr seen(n)
        }
        set seen(gap) $gap
    }
    set seen(last) $now
}
proc look {} {
    global ns seen a agents laws
    $ns at [expr {[$ns now] + 0.2}] look
    switch $laws(0) {
        arc { set rate $a(0,rate) }
        tfrc { set rate [$agents(0) set rate_] }
        default { set rate [expr {[$agents(0) set cwnd_] / max(0.001, ([$agents(0) set srtt_] >> 3) * [$agents(0) set tcpTick_])}] }
    }
    if {$rate > 1.1 * $seen(rate) || $rate < 0.9 * $seen(rate)} {
        set seen(rate) $rate
        incr seen(changes)
    }
}
if {$o(observe)} { $ns at 0.2 look }

# What has left the source's interface, and what data has arrived, in bits.
proc totals {k} {
    global laws sent got agents a
    set wire [expr {[$sent($k) set bdepartures_] * 8}]
    switch $laws($k) {
        arc { set good [expr {$a($k,got) * 8000.0}] }
        tfrc { set good [expr {[$got($k) set pdepartures_] * 8000.0}] }
        default { set good [expr {[$agents($k) set ack_] * 8000.0}] }
    }
    list $wire $good
}
proc opens {window} {
    global i open seen
    for {set k 0} {$k < $i} {incr k} { set open($window,$k) [totals $k] }
    set open($window,seen) [array get seen]
}
proc closes {window} {
    global i open seen o laws
    foreach {from to} [split $window -] break
    for {set k 0} {$k < $i} {incr k} {
        foreach before $open($window,$k) after [totals $k] metric {throughput goodput} {
            lappend rates($laws($k),$metric) [expr {($after - $before) / ($to - $from)}]
        }
    }
    foreach group [array names rates] {
        foreach {law metric} [split $group ,] break
        set sum 0.0
        set squares 0.0
        foreach rate $rates($group) {
            set sum [expr {$sum + $rate}]
            set squares [expr {$squares + $rate * $rate}]
        }
        set n [llength $rates($group)]
        puts [format "%s %s %s %.6g" $law $window $metric [expr {$sum / $n}]]
        if {$metric eq "goodput"} {
            puts [format "%s %s jain %.6g" $law $window [expr {$sum * $sum / ($n * max($squares, 1))}]]
        }
    }
    if {!$o(observe)} return
    array set then $open($window,seen)
    puts [format "%s %s gap-jitter %.6g" $laws(0) $window \
        [expr {($seen(sum) - $then(sum)) / max(1, $seen(n) - $then(n))}]]
    puts [format "%s %s rate-changes %.6g" $laws(0) $window \
        [expr {double($seen(changes) - $then(changes)) / ($to - $from)}]]
}
foreach window [split $o(windows) ";"] {
    foreach {from to} [split $window -] break
    $ns at $from [list opens $window]
    $ns at $to [list closes $window]
}
$ns at $o(duration) "exit 0"
$ns run
