# Runs what points.tcl lists, and writes runs.csv and measures.csv: `ns run.tcl [missing]
# [SECTION...]` from this folder. Sections that are not named keep their lines; with `missing`, so
# does all that is there. Seeds are 1 to 3.

set here [file dirname [info script]]
set seeds {1 2 3}
# SEEDS names others, such as "1".
if {[info exists env(SEEDS)]} { set seeds $env(SEEDS) }
set missing [expr {[lindex $argv 0] eq "missing"}]
set wanted [expr {$missing ? [lrange $argv 1 end] : $argv}]
# Of each file: its path, its head, the lines that stay and those that were run.
array set path [list runs [file join $here runs.csv] measures [file join $here measures.csv]]
array set header {
    runs "section,point,seed,flow,throughput_mbps,goodput_mbps,expiries"
    measures "section,point,seed,group,window,metric,value"
}
foreach table {runs measures} {
    set kept($table) {}
    set lines($table) {}
    if {![file exists $path($table)]} continue
    set in [open $path($table)]
    foreach line [lrange [split [string trim [read $in]] "\n"] 1 end] {
        foreach {name point seed} [split $line ,] break
        if {$missing || ([llength $wanted] && $name ni $wanted)} {
            lappend kept($table) $line
            set known($table/$point/$seed) 1
        }
    }
    close $in
}

proc section {name body} {
    global wanted current
    if {[llength $wanted] && $name ni $wanted} return
    set current $name
    uplevel #0 $body
}

# One point of flows.tcl. Within the files commas part fields, so a name has none.
proc point {name args} {
    point_of runs flows.tcl $name $args {
        set k -1
        foreach line [split $answer "\n"] {
            foreach {law wire good expiries} $line break
            lappend rows "[incr k],$wire,$good,$expiries"
        }
    }
}
# One point of another script, which prints `GROUP WINDOW METRIC VALUE`.
proc measure {script name args} {
    point_of measures $script $name $args {
        foreach line [split $answer "\n"] { lappend rows [join $line ,] }
    }
}
proc point_of {table script name keys body} {
    global here seeds current lines known
    set name [string map {, /} $name]
    foreach seed $seeds {
        if {[info exists known($table/$name/$seed)]} continue
        set answer [eval exec ns [list [file join $here $script]] seed=$seed $keys]
        set rows {}
        eval $body
        foreach row $rows { lappend lines($table) "$current,$name,$seed,$row" }
    }
    # What was run is kept even if the rest is not.
    save $table
}

proc save {table} {
    global path header kept lines
    set to [open $path($table) w]
    puts $to $header($table)
    foreach line [lsort -dictionary [concat $kept($table) $lines($table)]] { puts $to $line }
    close $to
}

source [file join $here points.tcl]
exit 0
