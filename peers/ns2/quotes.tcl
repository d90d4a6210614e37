# Computes from runs.csv what ns-2 gives for the quotes of the built-in scenarios, and writes
# quotes.csv: scenario, quote, and a value for each seed, in b/s or as a ratio. `ns quotes.tcl` from
# this folder. A quote whose runs are missing is left out.

set here [file dirname [info script]]
set in [open [file join $here runs.csv]]
foreach line [lrange [split [string trim [read $in]] "\n"] 1 end] {
    foreach {section point seed flow throughput goodput expiries} [split $line ,] break
    set run($point/$flow/$seed) [list [expr {$throughput * 1e6}] [expr {$goodput * 1e6}]]
    set seeds($seed) 1
}
close $in

set out {}
# The value of a point for a seed; metric 0 is throughput, 1 goodput.
proc value {point flow seed metric} {
    global run
    lindex $run($point/$flow/$seed) $metric
}
proc quote {scenario id body} {
    global seeds out
    set values {}
    foreach seed [lsort -integer [array names seeds]] {
        if {[catch {uplevel #0 [list set seed $seed]; uplevel #0 $body} result]} continue
        lappend values [format %.6g $result]
    }
    if {[llength $values]} { lappend out "$scenario,$id,[join $values " "]" }
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

set to [open [file join $here quotes.csv] w]
puts $to "scenario,quote,values"
foreach line $out { puts $to $line }
close $to
puts "[llength $out] quotes"
exit 0
