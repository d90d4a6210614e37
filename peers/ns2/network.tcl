# What the scripts of a run share: keys, random streams, monitors and the defaults of all TCPs. A
# script declares its keys in `o`, reads this file, and builds its network.

# KEY=VALUE into `o`; keys that may be given several times are handed to `several KEY VALUE`.
proc read_keys {argv several} {
    global o
    foreach arg $argv {
        if {![regexp {^([a-z_]+)=(.*)$} $arg -> key value]} { puts stderr "not KEY=VALUE: $arg"; exit 2 }
        if {[$several $key $value]} continue
        if {![info exists o($key)]} { puts stderr "no such key: $key"; exit 2 }
        set o($key) $value
    }
}

# Each element draws from a stream of its own.
set streams 0
proc stream {} {
    global o streams
    incr streams
    set rng [new RNG]
    $rng seed [expr {($o(seed) * 7919 + $streams * 104729 + 13) % 2147483647}]
    return $rng
}
proc uniform {from to} {
    set v [new RandomVariable/Uniform]
    $v use-rng [stream]
    $v set min_ $from
    $v set max_ $to
    return $v
}

# A trace object that is told to call back hands its line to the command in `on`.
Trace/Recv instproc handle {line} {
    global on
    if {[info exists on($self)]} { eval $on($self) [list $line] }
}
# Calls COMMAND with a line for each packet at the end of a link.
proc at_end {from to command} {
    global ns null on
    $ns trace-queue $from $to $null
    set trace [[$ns link $from $to] set rcvT_]
    set on($trace) $command
    $trace set callback_ 1
}

# Two queues of so many packets, probes (prio_ 20) served last: what the ARC paper asks of a router.
proc two_bands {q packets} {
    $q set numQueues_ 2
    $q setNumPrec 1
    $q meanPktSize 1040
    $q addPHBEntry 0 0 0
    $q addPHBEntry 20 1 0
    $q setSchedularMode PRI
    foreach band {0 1} {
        $q setMREDMode DROP $band
        $q configQ $band 0 $packets $packets 1.0
    }
}

proc tcp_defaults {} {
    global o
    Agent/TCP set packetSize_ 1000
    Agent/TCP set windowInit_ 2
    Agent/TCP set window_ $o(window)
    Agent/TCP set maxrto_ 60
    Agent/TCP set minrto_ $o(minrto)
    Agent/TCP set tcpTick_ $o(tick)
    Agent/TCP set bugFix_ $o(bugfix)
    Agent/TCP set timestamps_ $o(timestamps)
    Agent/TCP set ts_resetRTO_ $o(timestamps)
}
