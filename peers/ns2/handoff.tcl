# A download to a phone that moves between two cells, in ns-2: Taleb et al., Figs. 3, 4 and 6 to 8.
#
# ns handoff.tcl KEY=VALUE... prints `GROUP WINDOW METRIC VALUE` for the download and each window of
# time: goodput (b/s; `via-new` of what came over the new cell), loss (share of the packets sent),
# timeouts (1/s), cwnd (packets, mean of samples each 50 ms, of the connection in use), and with
# residents their mean goodput and Jain's index of all.
#   sender  newreno, westwood, freeze or cross-layer
#   rates   of the old and the new cell; wire: the wired one-way delay in seconds
#   enter, move, leave  when the phone comes into reach of the new cell, moves, leaves the old one
#   radios  1: what is under way in the old cell at the move is lost; 2: it arrives until `leave`
#   meanwhile  both: a probing sender uses both cells until the move; new: the new one from its probe on
#   queue   wred (Cisco's thresholds, as docs/scenarios.md has them) or bands
# The network is that of scenarios/handoff. ns-2 has no mobile in two cells: the phone has a link to
# each, Tcl moves the routes at its ends, and a loss model that drops all closes the old cell.

array set o {
    sender newreno rates 6Mb,11Mb wire 0.025 enter 25.5 move 30 leave 34.5 radios 1 meanwhile both
    queue wred rwnd 400 residents 0 seed 1 windows 25.5-34.5 duration 40
    bugfix 1 timestamps 0 tick 0.01 minrto 1 window 400
}
set here [file dirname [info script]]
source [file join $here network.tcl]
source [file join $here laws.tcl]
proc several {key value} { return 0 }
read_keys $argv several
set o(window) $o(rwnd)
tcp_defaults
# What laws.tcl asks for.
set clamp 1
set tick $o(tick)

ns-random [expr {$o(seed) * 7919 + 13}]
set ns [new Simulator]
set null [open /dev/null w]
set server [$ns node]
set phone [$ns node]

# WRED: one average length, dummies dropped from 20 packets on, data from 30, both up to 40.
proc wred {q} {
    $q set numQueues_ 1
    $q setNumPrec 2
    $q meanPktSize 1040
    $q addPHBEntry 0 0 0
    $q addPHBEntry 20 0 1
    $q setMREDMode WRED 0
    $q configQ 0 0 30 40 0.1
    $q configQ 0 1 20 40 0.1
}

set dropped 0
Trace/Drop instproc handle {line} {
    global dropped dummy
    if {[lindex $line 4] eq "tcp" && [lindex $line 7] == 0} { incr dropped }
}
# A cell: the wire to its access point, the air in both directions, and the radio of the phone in it.
foreach cell {old new} rate [split $o(rates) ,] {
    set ap($cell) [$ns node]
    set radio($cell) [$ns node]
    $ns duplex-link $server $ap($cell) 155Mb $o(wire) DropTail
    $ns simplex-link $ap($cell) $radio($cell) $rate 10us dsRED/core
    $ns simplex-link $radio($cell) $ap($cell) $rate 10us DropTail
    $ns duplex-link $radio($cell) $phone 1Gb 0 DropTail
    foreach {from to packets} [list $server $ap($cell) 50 $ap($cell) $server 10000 \
        $ap($cell) $radio($cell) 50 $radio($cell) $ap($cell) 10000 \
        $radio($cell) $phone 10000 $phone $radio($cell) 10000] {
        $ns queue-limit $from $to $packets
    }
    set q [[$ns link $ap($cell) $radio($cell)] queue]
    if {$o(queue) eq "wred"} { wred $q } else { two_bands $q 50 }
    foreach {from to} [list $server $ap($cell) $ap($cell) $radio($cell)] {
        $ns trace-queue $from $to $null
        [[$ns link $from $to] set drpT_] set callback_ 1
    }
    foreach {way from to} [list down $ap($cell) $radio($cell) up $radio($cell) $ap($cell)] {
        set air($cell,$way) [new ErrorModel]
        $air($cell,$way) unit pkt
        $air($cell,$way) set rate_ 0
        $air($cell,$way) ranvar [uniform 0 1]
        $ns link-lossmodel $air($cell,$way) $from $to
        $air($cell,$way) drop-target [new Agent/Null]
    }
    $air($cell,down) drop-target [[$ns link $ap($cell) $radio($cell)] set drpT_]
}
proc send_by {cell} {
    global server phone ap ns
    $server add-route [$phone id] [[$ns link $server $ap($cell)] head]
}
proc answer_by {cell} {
    global server phone radio ns
    $phone add-route [$server id] [[$ns link $phone $radio($cell)] head]
}

# The phone's address in the new cell, which a probing sender knows before the move.
set visitor [$ns node]
$ns duplex-link $radio(new) $visitor 1Gb 0 DropTail

# A connection to the phone, or to its address in the new cell.
proc connection {k node} {
    global ns server tcp
    set tcp($k) [new Agent/TCP/Newreno]
    set sink [new Agent/TCPSink]
    $tcp($k) set overhead_ [expr {1040 * 8 / 6e6}]
    $ns attach-agent $server $tcp($k)
    $ns attach-agent $node $sink
    $ns connect $tcp($k) $sink
    $tcp($k) set fid_ 0
    set ftp [new Application/FTP]
    $ftp attach-agent $tcp($k)
    return $ftp
}
set start [[uniform 0 1] value]
$ns at $start "[connection old $phone] start"
if {$o(sender) eq "westwood"} {
    law_start 0 westwood $tcp(old) 0 0 [expr {2 * $o(wire) + 1040 * 8 / 6e6}]
    foreach cell {old new} { at_end $ap($cell) $server heard }
}
# Residents' ACKs are not the download's.
proc heard {line} { if {[lindex $line 7] == 0} { law_line 0 $line } }
$ns at 0 {send_by old; answer_by old}

# Residents of the new cell.
for {set k 0} {$k < $o(residents)} {incr k} {
    set node [$ns node]
    $ns duplex-link $radio(new) $node 1Gb 0 DropTail
    set resident($k) [new Agent/TCP/Newreno]
    set sink [new Agent/TCPSink]
    $resident($k) set overhead_ [expr {1040 * 8 / 6e6}]
    $ns attach-agent $server $resident($k)
    $ns attach-agent $node $sink
    $ns connect $resident($k) $sink
    $resident($k) set fid_ 1
    set ftp [new Application/FTP]
    $ftp attach-agent $resident($k)
    $ns at [expr {10 + [[uniform 0 5] value]}] "$ftp start"
}

# The move. The sender learns of it a wired delay later; what it sent before goes to the old cell.
proc move {} {
    global o ns air tcp
    answer_by new
    if {$o(radios) == 1} { close_old }
    $ns at [expr {[$ns now] + $o(wire)}] moved
}
proc close_old {} {
    global air
    $air(old,down) set rate_ 1
    $air(old,up) set rate_ 1
}
proc moved {} {
    global o tcp
    if {$o(sender) eq "cross-layer"} {
        $tcp(old) set window_ 0
        return
    }
    send_by new
    if {$o(sender) eq "freeze"} { thaw }
}
$ns at $o(move) move
$ns at $o(leave) close_old

# Freeze-TCP: the window is closed 200 ms ahead, so that nothing is under way.
proc thaw {} {
    global o tcp
    $tcp(old) set window_ $o(rwnd)
    $tcp(old) advanceby 0
}
if {$o(sender) eq "freeze"} {
    $ns at [expr {$o(move) - 0.2 + $o(wire)}] "$tcp(old) set window_ 0"
}

# The paper's probe. A receive window of dummies leaves over a round trip; each ACK of a dummy lets one
# packet of data go out on a connection of its own over the new cell; those of one round trip are its
# window, in congestion avoidance.
set using old
if {$o(sender) eq "cross-layer"} {
    set news [connection new $visitor]
    # An agent of messages sends to the port that it has itself.
    foreach {end node} [list server $server phone $visitor] {
        set dummy($end) [new Agent/MessagePassing]
        $dummy($end) set packetSize_ 1500
        $node attach $dummy($end) 50
    }
    $dummy(server) set prio_ 20
    $ns at [expr {$o(enter) + $o(wire)}] survey
    array set found {n 0 first -1 rtt 0 sent 0}
}
Agent/MessagePassing instproc recv {source sport size data} {
    global dummy server
    if {$self eq $dummy(phone)} {
        $self sendto 40 $data [$server id] 50
    } else {
        answered
    }
}
proc survey {} {
    global o ns tcp found news
    set found(rtt) [expr {([$tcp(old) set srtt_] >> 3) * $o(tick)}]
    # Two packets go ahead, as a handshake would: ns-2's bugFix_ repeats nothing before they are
    # acknowledged, and its timer stands at 3 s without a sample.
    $tcp(new) set ssthresh_ 1
    $news start
    next_dummy
}
proc next_dummy {} {
    global o ns found dummy visitor
    if {$found(first) >= 0 && [$ns now] >= $found(first) + $found(rtt)} return
    if {[incr found(sent)] > $o(rwnd)} return
    $dummy(server) sendto 1040 $found(sent) [$visitor id] 50
    $ns at [expr {[$ns now] + $found(rtt) / $o(rwnd)}] next_dummy
}
proc answered {} {
    global ns found tcp
    set now [$ns now]
    if {$found(first) < 0} {
        set found(first) $now
        $ns at [expr {$now + $found(rtt)}] surveyed
    }
    if {$now >= $found(first) + $found(rtt)} return
    incr found(n)
    $tcp(new) set cwnd_ $found(n)
    $tcp(new) advanceby 0
}
proc surveyed {} {
    global o found tcp using
    set n [expr {max(2, $found(n))}]
    $tcp(new) set cwnd_ $n
    $tcp(new) set ssthresh_ [expr {$found(n) > 2 ? $n - 1 : 1000}]
    set using new
    if {$o(meanwhile) eq "new"} { $tcp(old) set window_ 0 }
}

array set seen {sum 0.0 n 0}
proc look {} {
    global ns seen tcp using
    $ns at [expr {[$ns now] + 0.05}] look
    set seen(sum) [expr {$seen(sum) + [$tcp($using) set cwnd_]}]
    incr seen(n)
}
$ns at 0.05 look

proc totals {} {
    global o tcp resident dropped seen moved_at
    set now {sent 0 acked 0 timeouts 0}
    array set t {sent 0 acked 0 timeouts 0 new 0}
    foreach k [array names tcp] {
        incr t(sent) [$tcp($k) set ndatapack_]
        incr t(acked) [expr {max(0, [$tcp($k) set ack_])}]
        incr t(timeouts) [$tcp($k) set nrexmit_]
    }
    if {[info exists tcp(new)]} { set t(new) [expr {max(0, [$tcp(new) set ack_])}] } else { set t(new) $t(acked) }
    set t(dropped) $dropped
    set t(cwnds) $seen(sum)
    set t(looks) $seen(n)
    for {set k 0} {$k < $o(residents)} {incr k} { set t(resident,$k) [$resident($k) set ack_] }
    array get t
}
proc closes {window before} {
    global o
    array set a $before
    array set b [totals]
    foreach {from to} [split $window -] break
    foreach key [array names b] { set d($key) [expr {$b($key) - $a($key)}] }
    set scale [expr {8000.0 / ($to - $from)}]
    set rows [list goodput [expr {$d(acked) * $scale}] via-new [expr {$d(new) * $scale}] \
        loss [expr {double($d(dropped)) / max(1, $d(sent))}] timeouts [expr {$d(timeouts) / double($to - $from)}] \
        cwnd [expr {$d(cwnds) / max(1, $d(looks))}]]
    if {$o(residents)} {
        set sum 0
        set squares 0
        for {set k 0} {$k < $o(residents)} {incr k} {
            incr sum $d(resident,$k)
            incr squares [expr {$d(resident,$k) ** 2}]
        }
        set all [expr {double($sum + $d(acked)) ** 2}]
        lappend rows residents [expr {$sum * $scale / $o(residents)}] \
            jain [expr {$all / (($o(residents) + 1) * double($squares + $d(acked) ** 2))}]
    }
    foreach {metric value} $rows { puts [format "download %s %s %.6g" $window $metric $value] }
}
proc opens {window} {
    global ns
    $ns at [lindex [split $window -] 1] [list closes $window [totals]]
}
foreach window [split $o(windows) ";"] { $ns at [lindex [split $window -] 0] [list opens $window] }
$ns at $o(duration) "exit 0"
$ns run
