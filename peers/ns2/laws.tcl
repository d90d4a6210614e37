# TCP-ATL's and Westwood's control laws on ns-2's own TCP agents.
#
# Debian's package has neither headers nor a way to load a compiled agent, so the laws run in Tcl,
# once per ACK: a trace object at the end of the link that brings the ACKs calls `before` ahead of
# the agent, and an event at the same instant calls `after` behind it. Before the agent sees an ACK
# its parameters are those that the law wants for it:
#   increase_num_   alpha;
#   decrease_num_   the share of cwnd that a loss leaves, were this the ACK that shows one.
# The agent would halve instead while it is in slow start (tcp.cc, slowdown). A third duplicate ACK
# therefore finds ssthresh_ at cwnd_, and the law's own ssthresh_ is set behind it. The agent does
# the rest: detection, recovery, timers.

# What a trace object at the end of the ACKs' link calls, with its line.
proc law_line {i line} { law_before $i [lindex $line 10] }

# What both laws keep of flow i.
proc law_start {i law agent dw pw base} {
    global f
    foreach {key value} [list law $law agent $agent dw $dw pw $pw base $base \
        expiries 0 cwnd 1.0 counted 0 lost 0 \
        rate 0.0 sample 0.0 last -1.0 pending 0.0 \
        alpha 1.0 due 0.0 history {}] {
        set f($i,$key) $value
    }
}

proc law_before {i ack} {
    global f ns
    set t $f($i,agent)
    set law $f($i,law)
    set acked [$t set ack_]
    set new [expr {$ack > $acked ? $ack - $acked : 0}]
    set expiries [$t set nrexmit_]
    if {$expiries > $f($i,expiries)} {
        # The timer expired since the last ACK. Its later expiries in a row leave ssthresh as the
        # first set it.
        set f($i,expiries) $expiries
        set f($i,counted) 0
        law_lost_$law $i
        $t set ssthresh_ [expr {int([law_target_$law $i $f($i,cwnd)])}]
    }
    law_ack_$law $i $t [$ns now] $new
    if {$new == 0 && $ack == $acked && [$t set dupacks_] == 2} {
        set cwnd [$t set cwnd_]
        set target [law_target_$law $i $cwnd]
        # At exactly .5 ns-2 takes another branch, to the same effect.
        $t set decrease_num_ [expr {min(1.0, $target / $cwnd)}]
        set before [$t set ssthresh_]
        $t set ssthresh_ [expr {int($cwnd)}]
        $ns at [$ns now] "law_after $i $before [$t set ncwndcuts_] [expr {int($target)}]"
    }
}

# Behind an ACK that could have shown a loss: did it?
proc law_after {i before cuts target} {
    global f
    set t $f($i,agent)
    if {[$t set ncwndcuts_] > $cuts} {
        $t set ssthresh_ $target
        law_lost_$f($i,law) $i
    } else {
        $t set ssthresh_ $before
    }
}

# ---- Westwood (Casetti et al., MobiCom 2001, sec. 2 and 3), tau = 1 s, m = 2 ----

proc law_lost_westwood {i} {}

# BWE times the least RTT, whatever cwnd is.
proc law_target_westwood {i cwnd} {
    global f
    expr {max(2.0, $f($i,rate) * $f($i,base))}
}

proc westwood_step {i interval sample} {
    global f
    set ratio [expr {2.0 / $interval}]
    set f($i,rate) [expr {(($ratio - 1) * $f($i,rate) + $sample + $f($i,sample)) / ($ratio + 1)}]
    set f($i,sample) $sample
}

proc law_ack_westwood {i t now new} {
    global f
    # A duplicate stands for one packet; the ACK behind it leaves out what duplicates have counted.
    if {$new == 0} {
        incr f($i,counted)
        set packets 1
    } else {
        set before [expr {min($f($i,counted), $new)}]
        incr f($i,counted) -$before
        set packets [expr {max(1, $new - $before)}]
    }
    if {$f($i,last) < 0} { set f($i,last) $now; return }
    set f($i,pending) [expr {$f($i,pending) + $packets}]
    set interval [expr {$now - $f($i,last)}]
    if {$interval < 1e-4} return
    # Each tau/m without an ACK is a sample of zero.
    while {$interval > 0.5001} {
        westwood_step $i 0.5 0.0
        set interval [expr {$interval - 0.5}]
    }
    westwood_step $i $interval [expr {$f($i,pending) / $interval}]
    set f($i,pending) 0.0
    set f($i,last) $now
}

# ---- TCP-ATL (ATL paper, eq. 2, 5 to 9); choices as in docs/protocols/atl.md ----

# Eq. 7 with b = 1.
proc eq7 {alpha beta p R T0} {
    expr {1.0 / ($R * sqrt(2 * (1 - $beta) * $p / ($alpha * (1 + $beta))) \
        + $T0 * 3 * sqrt((1 - $beta * $beta) * $p / (2 * $alpha)) * $p * (1 + 32 * $p * $p))}
}

proc atl_beta {dw} { expr {$dw < 0.05 ? 0.75 : $dw < 0.15 ? 0.80 : 0.85} }

proc law_target_atl {i cwnd} {
    global f
    set beta [expr {$f($i,lost) ? [atl_beta $f($i,dw)] : 0.5}]
    expr {max(2.0, $beta * $cwnd)}
}

# The first loss ends the start with (1, .5), and each loss asks for a new alpha.
proc law_lost_atl {i} {
    global f
    set f($i,lost) 1
    set f($i,due) 0.0
}

proc law_ack_atl {i t now new} {
    global f clamp tick
    if {$f($i,lost) && $now >= $f($i,due)} {
        set R [expr {max($f($i,base), ([$t set srtt_] >> 3) * $tick)}]
        set f($i,due) [expr {$now + $R}]
        # p: what was sent again of what was sent, over the longer of 10 R and 50 packets.
        lappend f($i,history) [list $now [$t set ndatapack_] [$t set nrexmitpack_]]
        set sent [$t set ndatapack_]
        while {[llength $f($i,history)] > 2} {
            set second [lindex $f($i,history) 1]
            if {$now - [lindex $second 0] < 10 * $R || $sent - [lindex $second 1] < 50} break
            set f($i,history) [lrange $f($i,history) 1 end]
        }
        set first [lindex $f($i,history) 0]
        set n [expr {$sent - [lindex $first 1]}]
        if {$n > 0} {
            set p [expr {min(0.99, double([$t set nrexmitpack_] - [lindex $first 2]) / $n)}]
            set pw $f($i,pw)
            set pc [expr {max(1.0 / ($n + 1), ($p - $pw) / (1 - $pw))}]
            set p [expr {1 - (1 - $pw) * (1 - $pc)}]
            set Rc [expr {max(0.001, $R - 2 * $f($i,dw))}]
            set T [eq7 1.0 0.5 $pc $Rc [expr {4 * $Rc}]]
            set b [atl_beta $f($i,dw)]
            set f($i,alpha) [expr {$p * (1 - $b) / (2 * (1 + $b)) \
                * pow($T * (2 * $R + 12 * $R * $p * (1 + 32 * $p * $p) * (1 + $b)), 2)}]
        }
    }
    set cwnd [$t set cwnd_]
    set f($i,cwnd) $cwnd
    # An acknowledged packet adds at most one, as in slow start.
    $t set increase_num_ [expr {$clamp ? min($f($i,alpha), $cwnd) : $f($i,alpha)}]
}
