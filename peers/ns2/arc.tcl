# ARC's control law (Akan and Akyildiz, ToN 2004, sec. IV; eq. 21 and 22) in Tcl.
#
# ns-2 has no ARC. A source and a sink of messages carry its packets, and each packet's fate comes
# to `recv`: at the sink, as an ACK at the source, and from the loss model of the wireless link, which
# hands over what it drops. That is the MAC which tells a source which packets it lost. What the paper
# leaves open is chosen as in docs/protocols/rates.md; not here: the halving of the rate in silence,
# and claims of a receiver.

Agent/MessagePassing instproc recv {source sport size data} {
    global role
    foreach {what i} $role($self) break
    arc_$what $i $data
}

proc arc_new {i from to error target jitter} {
    global ns role a
    foreach what {source sink mac} node [list $from $to $from] {
        set agent [new Agent/MessagePassing]
        $agent set packetSize_ 1500
        $ns attach-agent $node $agent
        set role($agent) [list $what $i]
        set a($i,$what) $agent
    }
    $error drop-target $a($i,mac)
    foreach {key value} [list from [$from id] to [$to id] jitter $jitter target $target \
        seq 0 next 0 got 0 rtt 0.0 acked 0 rate 1.0 steady 0 begun 0.0 out 0.0 \
        event -1.0 congestion -1.0 quiet 0.0 \
        kept {} begins 0 spared 0 lost 0 seed 1.0] {
        set a($i,$key) $value
    }
}
# One data packet, and probes.
proc arc_start {i} {
    global ns a
    set a($i,begun) [$ns now]
    arc_send $i
    arc_probe $i
}

# One data packet, and the next at the rate; both up to a packet time late, like TCP's.
proc arc_send {i} {
    global ns a
    set now [$ns now]
    set a($i,out) [expr {max($a($i,out), $now + [$a($i,jitter) value])}]
    $ns at $a($i,out) "arc_leave $i $a($i,seq)"
    incr a($i,seq)
    if {!$a($i,steady)} return
    if {$now >= $a($i,quiet)} { arc_evaluate $i }
    $ns at [expr {$now + 1.0 / $a($i,rate)}] "arc_send $i"
}
proc arc_leave {i seq} {
    global ns a
    $a($i,source) sendto 1040 "$seq [$ns now]" $a($i,to) [$a($i,sink) port]
}
# Probes at the target, until an RTT is known.
proc arc_probe {i} {
    global ns a
    if {$a($i,rtt) > 0} return
    $a($i,source) set prio_ 20
    $a($i,source) sendto 1040 "-1 [$ns now]" $a($i,to) [$a($i,sink) port]
    $a($i,source) set prio_ 0
    $ns at [expr {[$ns now] + 1.0 / $a($i,target)}] "arc_probe $i"
}

proc arc_mac {i data} {
    global a
    set a($i,air,[lindex $data 0]) 1
}
proc arc_sink {i data} {
    global a
    if {[lindex $data 0] >= 0} { incr a($i,got) }
    $a($i,sink) sendto 40 $data $a($i,from) [$a($i,source) port]
}

proc arc_source {i data} {
    global ns a
    foreach {seq sent} $data break
    set now [$ns now]
    set rtt [expr {$now - $sent}]
    if {$a($i,rtt) == 0} {
        set a($i,rtt) $rtt
        $ns at [expr {max($now, $a($i,begun) + 2 * $rtt)}] "arc_steady $i"
    } elseif {$seq >= 0} {
        set a($i,rtt) [expr {0.875 * $a($i,rtt) + 0.125 * $rtt}]
    }
    if {$seq < 0} {
        incr a($i,acked)
        return
    }
    # Nothing overtakes here: what was skipped is lost. It left shortly before its successor.
    set event 0
    for {set k $a($i,next)} {$k < $seq} {incr k} {
        if {$sent >= $a($i,event)} {
            set event 1
            set a($i,event) [expr {$sent + $a($i,rtt)}]
        }
        if {[info exists a($i,air,$k)]} {
            unset a($i,air,$k)
            incr a($i,spared)
        } elseif {$sent >= $a($i,congestion)} {
            set a($i,congestion) [expr {$sent + $a($i,rtt)}]
            arc_interval $i $k
        } else {
            incr a($i,lost)
        }
    }
    set a($i,next) [expr {$seq + 1}]
    if {$event && $a($i,steady)} { arc_evaluate $i }
}

# Eq. 22 after two round trips.
proc arc_steady {i} {
    global a
    set a($i,steady) 1
    set a($i,rate) [expr {min($a($i,target), max(1, $a($i,acked)) / $a($i,rtt))}]
    set a($i,seed) [arc_packets $i]
    arc_quiet $i
    arc_send $i
}
proc arc_quiet {i} {
    global ns a
    set a($i,quiet) [expr {[$ns now] + 10 * $a($i,rtt)}]
}

# The packets of an interval for which eq. 21 gives the present rate.
proc arc_packets {i} {
    global a
    expr {max(1.0, (pow(4 * $a($i,rtt) * $a($i,rate) - 3, 2) - 25) / 24)}
}
# A congestion event, at packet k, closes an interval; the first one stands for the rate so far.
proc arc_interval {i k} {
    global a count
    if {[llength $a($i,kept)]} {
        set closed [arc_open $i $k]
    } else {
        set closed [list [arc_packets $i] 1]
    }
    set a($i,kept) [linsert [lrange $a($i,kept) 0 6] 0 $closed]
    set a($i,begins) $k
    set a($i,spared) 0
    set a($i,lost) 1
}
# Packets that met the wired path since the last event, and those of them that congestion lost.
proc arc_open {i end} {
    global a count
    set passed [expr {max(1, $end - $a($i,begins) - $a($i,spared))}]
    list $passed [expr {$count eq "events" ? 1 : min($passed, max(1, $a($i,lost)))}]
}
# P(I1): the share lost of the last intervals, by TFRC's weights.
proc arc_share {intervals} {
    set lost 0.0
    set packets 0.0
    foreach interval $intervals weight {1 1 1 1 .8 .6 .4 .2} {
        if {$interval eq "" || $weight eq ""} break
        set packets [expr {$packets + $weight * [lindex $interval 0]}]
        set lost [expr {$lost + $weight * [lindex $interval 1]}]
    }
    expr {$lost / $packets}
}
# Eq. 21, at most the target.
proc arc_evaluate {i} {
    global a
    set open [arc_open $i $a($i,next)]
    if {[llength $a($i,kept)]} {
        set p [expr {min([arc_share $a($i,kept)], [arc_share [linsert $a($i,kept) 0 $open]])}]
    } else {
        set p [expr {1.0 / max([lindex $open 0], $a($i,seed))}]
    }
    set a($i,rate) [expr {min($a($i,target), (3 + sqrt(25 + 24 / $p)) / (4 * $a($i,rtt)))}]
    arc_quiet $i
}
