# Runs what points.tcl lists, and writes runs.csv: `ns run.tcl [missing] [SECTION...]` from this
# folder. Sections that are not named keep their lines; with `missing`, so does all that is there.
# Seeds are 1 to 3.

set here [file dirname [info script]]
set seeds {1 2 3}
# SEEDS names others, such as "1".
if {[info exists env(SEEDS)]} { set seeds $env(SEEDS) }
set missing [expr {[lindex $argv 0] eq "missing"}]
set wanted [expr {$missing ? [lrange $argv 1 end] : $argv}]
set out [file join $here runs.csv]
set header "section,point,seed,flow,throughput_mbps,goodput_mbps,expiries"

# The lines of other sections stay.
set kept {}
if {[file exists $out]} {
    set in [open $out]
    foreach line [split [string trim [read $in]] "\n"] {
        foreach {name point seed} [split $line ,] break
        if {$name eq "section"} continue
        if {$missing || ([llength $wanted] && $name ni $wanted)} {
            lappend kept $line
            set known($point/$seed) 1
        }
    }
    close $in
}
set lines {}

proc section {name body} {
    global wanted current
    if {[llength $wanted] && $name ni $wanted} return
    set current $name
    uplevel #0 $body
}

# Within the file commas part fields, so a name has none.
proc point {name args} {
    global here seeds current lines known
    set name [string map {, /} $name]
    foreach seed $seeds {
        if {[info exists known($name/$seed)]} continue
        set answer [eval exec ns [list [file join $here flows.tcl]] seed=$seed $args]
        set k 0
        foreach line [split $answer "\n"] {
            foreach {law wire good expiries} $line break
            lappend lines "$current,$name,$seed,$k,$wire,$good,$expiries"
            incr k
        }
    }
    # What was run is kept even if the rest is not.
    save
}

proc save {} {
    global out header kept lines
    set to [open $out w]
    puts $to $header
    foreach line [lsort -dictionary [concat $kept $lines]] { puts $to $line }
    close $to
}

source [file join $here points.tcl]
exit 0
