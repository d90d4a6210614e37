# Computes from runs.csv and measures.csv what ns-2 gives for the quotes of the built-in scenarios, and
# writes quotes.csv: scenario, quote, and a value for each seed, in the metric's base unit or as a
# ratio. Semicolons part the selections of an order, and the sides of an `above` claim at each value.
# `ns quotes.tcl` from this folder. A quote whose runs are missing is left out.

set here [file dirname [info script]]
set in [open [file join $here runs.csv]]
foreach line [lrange [split [string trim [read $in]] "\n"] 1 end] {
    foreach {section point seed flow throughput goodput expiries} [split $line ,] break
    set run($point/$flow/$seed) [list [expr {$throughput * 1e6}] [expr {$goodput * 1e6}]]
    set seeds($seed) 1
}
close $in
set in [open [file join $here measures.csv]]
foreach line [lrange [split [string trim [read $in]] "\n"] 1 end] {
    foreach {section point seed group window metric value} [split $line ,] break
    set measured($point/$group/$window/$metric/$seed) $value
    set seeds($seed) 1
}
close $in

set out {}
# The value of a point for a seed; metric 0 is throughput, 1 goodput.
proc value {point flow seed metric} {
    global run
    lindex $run($point/$flow/$seed) $metric
}
proc quote {scenario id args} {
    global seeds out
    set series {}
    foreach body $args {
        set values {}
        foreach seed [lsort -integer [array names seeds]] {
            if {[catch {uplevel #0 [list set seed $seed]; uplevel #0 $body} result]} continue
            lappend values [format %.6g $result]
        }
        if {![llength $values]} return
        lappend series [join $values " "]
    }
    lappend out "$scenario,$id,[join $series ";"]"
}
# A line of measures.csv is named {POINT GROUP WINDOW}: its value for a seed, one that is quoted as it
# is, the ratio of two, and an order or the sides of an `above` claim.
proc look {of metric seed} {
    global measured
    foreach {point group window} $of break
    return $measured($point/$group/$window/$metric/$seed)
}
proc looks {scenario id metric args} {
    set bodies {}
    foreach of $args { lappend bodies "look {$of} $metric \$seed" }
    eval [list quote $scenario $id] $bodies
}
proc looks_ratio {scenario id of over {metric goodput} {below {}}} {
    if {$below eq ""} { set below $metric }
    quote $scenario $id "expr {double(\[look {$of} $metric \$seed\]) / \[look {$over} $below \$seed\]}"
}
# The ratio of two curves: each is "LAW,AGENT d_w=... p_w=... queue=...".
proc ratio {scenario id of over {metric 0}} {
    set of [string map {, /} $of]
    set over [string map {, /} $over]
    quote $scenario $id "expr {\[value {$of} 0 \$seed $metric\] / \[value {$over} 0 \$seed $metric\]}"
}

foreach {figure dw pw shorter} {fig06 0.010 5e-2 {} fig07 0.050 5e-2 0.010 fig08 0.150 2e-2 0.050} {
    set at "d_w=$dw p_w=$pw"
    ratio atl/$figure atl-over-westwood "atl,Sack1 $at queue=50" "westwood,Sack1 $at queue=50"
    ratio atl/$figure atl-over-westwood-fitted "atl,Sack1 $at queue=12" "westwood,Sack1 $at queue=12"
    ratio atl/$figure atl-over-westwood-ns2 "atl,Sack1 $at queue=50" "westwood,Reno $at queue=50"
    ratio atl/$figure atl-over-westwood-ns2-newreno "atl,Sack1 $at queue=50" "westwood,Newreno $at queue=50"
    ratio atl/$figure atl-over-tcp "atl,Sack1 $at queue=50" "tcp,Sack1 $at queue=50"
    ratio atl/$figure atl-over-tcp-ns2 "atl,Sack1 $at queue=50" "tcp,Reno $at queue=50"
    set high "d_w=$dw p_w=5e-2 queue=50"
    ratio atl/$figure level-on-ns2 "atl,Reno $high" "westwood,Reno $high"
    if {$shorter eq ""} continue
    foreach {id curve queue} {
        westwood-delay westwood,Sack1 50  westwood-delay-fitted westwood,Sack1 12
        westwood-ns2-delay westwood,Reno 50  westwood-ns2-delay-fitted westwood,Reno 12
        atl-delay atl,Sack1 50  atl-delay-fitted atl,Sack1 12  tcp-delay tcp,Sack1 50
    } {
        ratio atl/$figure $id "$curve d_w=$dw p_w=1e-3 queue=$queue" "$curve d_w=$shorter p_w=1e-3 queue=$queue"
    }
}

foreach {id flow} {wired 0 wlan 1 3g 2 satellite 3} {
    foreach {suffix queue} {{} 50 -fitted 12} {
        quote atl/table1 $id$suffix "value {table1 tcp queue=$queue} $flow \$seed 0"
        quote atl/table1-rate $id$suffix "value {table1 rap queue=$queue} $flow \$seed 1"
    }
}

for {set k 1} {$k <= 6} {incr k} {
    quote atl/table2 exp$k "value {table2 exp$k queue=50} 0 \$seed 0"
    quote atl/table2 exp$k-fitted "value {table2 exp$k queue=12} 0 \$seed 0"
    quote atl/table2 exp$k-data "value {table2 exp$k queue=50} 0 \$seed 1"
}

ratio atl/fig09 atl-over-westwood "fig09 atl,Sack1 lasts=1" "fig09 westwood,Sack1 lasts=1"
foreach {suffix rival} {{} westwood,Sack1 -ns2 westwood,Reno} {
    ratio atl/fig09 atl-over-westwood-fitted$suffix "fig09 atl,Sack1 lasts=1 queue=12" "fig09 $rival lasts=1 queue=12"
}

# Jain's index of six flows.
quote atl/fig10 fair-unlocked {
    set sum 0.0
    set squares 0.0
    for {set k 0} {$k < 6} {incr k} {
        set x [value fig10 $k $seed 1]
        set sum [expr {$sum + $x}]
        set squares [expr {$squares + $x * $x}]
    }
    expr {$sum * $sum / (6 * $squares)}
}
# The mean of five TCP-ATL over that of five wired SACK beside them.
quote atl/fig11 phi-unlocked {
    set mobile 0.0
    set wired 0.0
    for {set k 0} {$k < 10} {incr k 2} {
        set mobile [expr {$mobile + [value fig11 $k $seed 1]}]
        set wired [expr {$wired + [value fig11 [expr {$k + 1}] $seed 1]}]
    }
    expr {$mobile / $wired}
}

# ---- ARC ----

# The readings of scenarios/arc: a suffix for each network.
foreach {suffix network} {{} 40ms/1000 -fitted 230ms/100 -rtt 230ms/1000} {
    foreach {law p} {arc 1e-5 arc 1e-2 arc 3e-2 arc 1e-1 tfrc 1e-5 tfrc 1e-2 tfrc 3e-2 tfrc 1e-1} {
        set media($law,$p) [list "arc-fig07 $law $network p=$p" $law 20-80]
    }
    set media(newreno,1e-2) [list "arc-fig07 newreno $network p=1e-2" newreno 20-120]
    looks_ratio arc/fig07 over-tfrc$suffix $media(arc,1e-2) $media(tfrc,1e-2) throughput
    looks_ratio arc/fig07 goodput-over-tfrc$suffix $media(arc,1e-2) $media(tfrc,1e-2) goodput
    looks_ratio arc/fig07 equal-tfrc$suffix $media(arc,1e-5) $media(tfrc,1e-5) throughput
    looks arc/fig07 above-tfrc$suffix throughput $media(arc,1e-2) $media(tfrc,1e-2) \
        $media(arc,3e-2) $media(tfrc,3e-2) $media(arc,1e-1) $media(tfrc,1e-1)
    foreach {id metric} {falls-arc throughput falls-arc-goodput goodput} {
        # Of all ten.
        quote arc/fig07 $id$suffix "expr {10 * \[look {$media(arc,1e-5)} $metric \$seed\]}" \
            "expr {10 * \[look {$media(arc,1e-1)} $metric \$seed\]}"
    }
    looks arc/fig10 fair$suffix jain [list "arc-fig10 packets $network" arc 0-10]

    # TCP is ns-2's NewReno: the readings that have it, and those of which there is no such one.
    set tcp [expr {$suffix eq "-rtt" ? "" : "-ns2"}]
    foreach {id window} {phi 10-100 phi-early 0-5} {
        looks arc/fig12 $id$suffix$tcp goodput [list "arc-fig12 packets $network" newreno $window] \
            [list "arc-fig12 packets $network" arc $window]
    }
    foreach {id window first second} {
        before 10-25 newreno arc  errors 25-45 arc newreno  after 50-100 newreno arc
    } {
        set point "arc-fig12c $network p=1e-3"
        looks arc/fig12c $id$suffix$tcp goodput [list $point $first $window] [list $point $second $window]
        if {$suffix ne "-fitted"} continue
        set point "arc-fig12c $network p=1e-2"
        looks arc/fig12c $id-1e-2 goodput [list $point $first $window] [list $point $second $window]
    }
    looks arc/fig13 most-changes$suffix$tcp rate-changes $media(newreno,1e-2) $media(tfrc,1e-2) $media(arc,1e-2)
    looks arc/fig13 gap-tcp$suffix$tcp gap-jitter $media(newreno,1e-2) $media(tfrc,1e-2)
    looks arc/fig13 gap-tfrc$suffix gap-jitter $media(tfrc,1e-2) $media(arc,1e-2)
    looks arc/fig13 jitter-arc$suffix gap-jitter $media(arc,1e-2)
    looks arc/fig13 jitter-tfrc$suffix gap-jitter $media(tfrc,1e-2)
}
foreach seconds {10 50 200} {
    foreach count {packets events} {
        looks arc/fig10 fair-$count-${seconds}s jain [list "arc-fig10 $count 230ms/300" arc 0-$seconds]
    }
}
foreach {id point first second window} {
    phi-share {packets 230ms/50} newreno arc 10-100
    phi-early-share {packets 230ms/50} newreno arc 0-5
    phi-40ms-share {packets 40ms/50} newreno arc 10-100
    phi-2s {packets 230ms/100} arc newreno 0-2
    phi-10s {packets 230ms/100} newreno arc 0-10
    phi-events {events 230ms/100} arc newreno 10-100
} {
    looks arc/fig12 $id goodput [list "arc-fig12 $point" $first $window] [list "arc-fig12 $point" $second $window]
}

# ---- Handoff ----

foreach {suffix queue} {{} wred -fitted bands} {
    foreach {id rate} {h-l 1Mb l-h 11Mb} {
        looks handoff/fig03 window-$id$suffix cwnd [list "handoff-fig03 $queue new=$rate" download 25.7-25.85]
    }
}
foreach {id rate} {h-l 1Mb l-h 11Mb} {
    foreach sender {newreno westwood} {
        looks handoff/fig04 timeout-$sender-$id timeouts [list "handoff-fig04 $sender new=$rate" download 25-40]
    }
}
looks handoff/fig04 freeze-keeps cwnd [list "handoff-fig04 freeze new=11Mb" download 31.2-32] \
    [list "handoff-fig04 newreno new=11Mb" download 31.2-32]
looks handoff/fig04 freeze-falls cwnd [list "handoff-fig04 freeze new=11Mb" download 31-34] \
    [list "handoff-fig04 freeze new=1Mb" download 31-34]

proc fig06 {sender radios wire rate} {
    list "handoff-fig06 $sender radios=$radios wire=$wire new=$rate" download 25.5-34.5
}
foreach {suffix wire} {{} 0.025 -fitted 0.050} {
    foreach sender {newreno westwood freeze} {
        set gain [expr {$sender eq "newreno" ? "gain" : "gain-$sender"}]
        looks_ratio handoff/fig06 $gain$suffix [fig06 cross-layer 2 $wire 11Mb] [fig06 $sender 1 $wire 11Mb]
        set sides {}
        foreach rate {1Mb 2Mb 3Mb 4.5Mb 6Mb 8Mb 9.5Mb 11Mb 12Mb} {
            lappend sides [fig06 cross-layer 2 $wire $rate] [fig06 $sender 1 $wire $rate]
        }
        eval [list looks handoff/fig06 highest-$sender$suffix goodput] $sides
        if {$suffix ne ""} continue
        foreach rate {1 11} {
            looks handoff/fig06 drops-$sender-$rate loss [fig06 $sender 1 $wire ${rate}Mb] \
                [fig06 cross-layer 2 $wire ${rate}Mb]
        }
    }
}
looks_ratio handoff/fig06 twice-as-fast [fig06 cross-layer 2 0.050 12Mb] [fig06 newreno 1 0.050 12Mb]
set sides {}
foreach rate {1Mb 2Mb 3Mb 4.5Mb 6Mb 8Mb 9.5Mb 11Mb 12Mb} {
    lappend sides [fig06 cross-layer 2 0.025 $rate] [fig06 newreno 2 0.025 $rate]
}
eval [list looks handoff/fig06 what-the-probe-adds goodput] $sides

foreach {id rate} {h-l 1Mb l-h 11Mb} {
    foreach sender {newreno westwood freeze} {
        set sides {}
        foreach speed {10 25 50 75 100} {
            lappend sides [list "handoff-fig07 cross-layer speed=$speed new=$rate" download 55.5-64.5] \
                [list "handoff-fig07 $sender new=$rate" download 55.5-64.5]
        }
        eval [list looks handoff/fig07 $id-$sender goodput] $sides
    }
}

for {set n 1} {$n <= 10} {incr n} {
    set point [list "handoff-fig08 cross-layer n=$n" download 30-35]
    looks_ratio handoff/fig08 fair-$n $point $point via-new residents
}
set point [list "handoff-fig08 new path only n=5" download 30-35]
looks_ratio handoff/fig08 fair-5-via-new $point $point via-new residents
foreach sender {newreno westwood freeze} {
    set sides {}
    for {set n 1} {$n <= 10} {incr n} {
        # Those that were run.
        if {![info exists measured(handoff-fig08\ $sender\ n=$n/download/30-35/jain/1)]} continue
        lappend sides [list "handoff-fig08 cross-layer n=$n" download 30-35] \
            [list "handoff-fig08 $sender n=$n" download 30-35]
    }
    eval [list looks handoff/fig08 fairer-than-$sender jain] $sides
}

set to [open [file join $here quotes.csv] w]
puts $to "scenario,quote,values"
foreach line $out { puts $to $line }
close $to
puts "[llength $out] quotes"
exit 0
