# What is run, in sections: `point NAME KEY=VALUE...` is one line of runs.csv for each flow and seed,
# `measure SCRIPT NAME KEY=VALUE...` one of measures.csv for each metric, window and seed.

section tcp {
    # The ATL paper's sec. V-A1 with ns-2's own TCPs: what ours are held to (10, 50 and 150 ms).
    foreach dw {0.010 0.050 0.150} {
        foreach pw {1e-3 5e-3 1e-2 2e-2 5e-2} {
            foreach curve {tcp,Tahoe tcp,Reno tcp,Newreno tcp,Sack1} {
                point "$curve d_w=$dw p_w=$pw queue=50" duration=300 queue=50 flow=$curve,$dw,$pw,2Mb
            }
        }
    }
}

section claims {
    # Figs. 6, 7 and 8 at the p_w of their claims. The laws in Tcl take a second of CPU time for ten of
    # the simulation, so these runs are shorter.
    foreach {dw pw} {0.010 5e-2 0.050 5e-2 0.150 5e-2 0.150 2e-2} {
        foreach curve {westwood,Reno atl,Sack1 westwood,Sack1 atl,Reno westwood,Newreno} {
            point "$curve d_w=$dw p_w=$pw queue=50" duration=150 queue=50 flow=$curve,$dw,$pw,2Mb
        }
    }
}

section delay {
    # What a longer delay costs at 1e-3, with the queues of both networks.
    foreach queue {50 12} {
        foreach curve {westwood,Reno westwood,Sack1 atl,Sack1} {
            foreach dw {0.010 0.050 0.150} {
                point "$curve d_w=$dw p_w=1e-3 queue=$queue" duration=150 queue=$queue flow=$curve,$dw,1e-3,2Mb
            }
        }
    }
}

section queue12 {
    # The fitted network, at the points of the claims.
    foreach {dw pw} {0.010 5e-2 0.050 5e-2 0.150 2e-2} {
        foreach curve {atl,Sack1 westwood,Sack1} {
            point "$curve d_w=$dw p_w=$pw queue=12" duration=100 queue=12 flow=$curve,$dw,$pw,2Mb
        }
    }
}

section table1 {
    foreach queue {50 12} {
        foreach law {tcp rap} {
            point "table1 $law queue=$queue" duration=600 rate=2.5Mb queue=$queue jitter=1 \
                flow=$law,Newreno,0.010,0,1Mb flow=$law,Newreno,0.010,1e-4,1Mb \
                flow=$law,Newreno,0.050,1e-3,1Mb flow=$law,Newreno,0.150,1e-2,1Mb
        }
    }
}

section table2 {
    # A source that roams: W, 3 and S are WLAN, 3G and satellite.
    array set network {W 0.010,1e-5 3 0.050,1e-4 S 0.150,1e-3}
    set k 0
    foreach {first t1 second t2 third} {
        W 100 3 300 S  W 200 S 300 3  S 200 W 500 3  S 200 3 400 W  3 100 W 200 S  3 400 S 500 W
    } {
        incr k
        foreach queue {50 12} {
            point "table2 exp$k queue=$queue" duration=600 queue=$queue \
                flow=atl,Sack1,$network($first),2Mb \
                "roam=$t1,$network($second);$t2,$network($third)"
        }
    }
}

section fig09 {
    # A blackout of the wireless link at 300 s.
    foreach lasts {0.01 1 10} {
        foreach curve {westwood,Reno westwood,Sack1 atl,Sack1} {
            point "fig09 $curve lasts=$lasts" duration=400 blackout=300,$lasts flow=$curve,0.050,1e-3,2Mb
        }
    }
    # The fitted network, in which the two differ with or without a blackout.
    foreach curve {westwood,Reno westwood,Sack1 atl,Sack1} {
        point "fig09 $curve lasts=1 queue=12" duration=150 queue=12 blackout=100,1 flow=$curve,0.050,1e-3,2Mb
    }
}

section fig10 {
    set flows {}
    for {set k 0} {$k < 6} {incr k} { lappend flows flow=atl,Sack1,0.010,1e-3,2.1Mb }
    eval [list point "fig10" duration=100 rate=6Mb jitter=1] $flows
}

section fig11 {
    set flows {}
    for {set k 0} {$k < 5} {incr k} { lappend flows flow=atl,Sack1,0.010,1e-3,2.1Mb flow=tcp,Sack1,0.010,0,2.1Mb }
    eval [list point "fig11" duration=100 rate=4Mb jitter=1] $flows
}

# The ARC paper's networks as scenarios/arc has them: what a wire's delay and a target are, as printed
# and fitted.
set arc {40ms/1000 0.010,1000 230ms/100 0.105,100 230ms/1000 0.105,1000}

section arc-fig07 {
    # Figs. 7, 8, 13 and 14. ARC runs in Tcl: a second of CPU time for seven of the simulation.
    foreach {network keys} $arc {
        foreach {delay target} [split $keys ,] break
        foreach p {1e-5 1e-2 3e-2 1e-1} {
            foreach law {arc tfrc} {
                measure media.tcl "arc-fig07 $law $network p=$p" delay=$delay target=$target \
                    duration=80 windows=20-80 observe=1 flow=10,$law,$p
            }
        }
        measure media.tcl "arc-fig07 newreno $network p=1e-2" delay=$delay target=$target \
            duration=120 windows=20-120 observe=1 flow=10,newreno,1e-2
    }
}

section arc-fig10 {
    foreach {network keys} $arc {
        foreach {delay target} [split $keys ,] break
        measure media.tcl "arc-fig10 packets $network" delay=$delay target=$target \
            duration=10.1 windows=0-10 flow=10,arc,1e-3
    }
    foreach count {packets events} {
        measure media.tcl "arc-fig10 $count 230ms/300" delay=0.105 target=300 count=$count \
            duration=200.1 "windows=0-10;0-50;0-200" flow=10,arc,1e-3
    }
}

section arc-fig12 {
    foreach {network keys} [concat $arc {230ms/50 0.105,50 40ms/50 0.010,50}] {
        foreach {delay target} [split $keys ,] break
        measure media.tcl "arc-fig12 packets $network" delay=$delay target=$target \
            duration=100.1 "windows=0-2;0-5;0-10;10-100" flow=10,arc,1e-3 flow=10,newreno,0
    }
    measure media.tcl "arc-fig12 events 230ms/100" delay=0.105 target=100 count=events \
        duration=100.1 "windows=10-100" flow=10,arc,1e-3 flow=10,newreno,0
}

section arc-fig12c {
    # The paper's 1e-3, and 1e-2 in the fitted network.
    foreach {network keys p} {
        40ms/1000 0.010,1000 1e-3 230ms/100 0.105,100 1e-3 230ms/1000 0.105,1000 1e-3 230ms/100 0.105,100 1e-2
    } {
        foreach {delay target} [split $keys ,] break
        measure media.tcl "arc-fig12c $network p=$p" delay=$delay target=$target \
            duration=100.1 "windows=10-25;25-45;50-100" "errors=25,$p;45,0" \
            flow=10,arc,0 flow=10,newreno,0
    }
}

# The handoff paper's network as scenarios/handoff has it; wires of 25 ms, and of 50 ms as fitted.
section handoff-fig03 {
    foreach rate {1Mb 11Mb} {
        foreach queue {wred bands} {
            measure handoff.tcl "handoff-fig03 $queue new=$rate" sender=cross-layer meanwhile=new \
                queue=$queue rates=6Mb,$rate duration=26 windows=25.7-25.85
        }
    }
}

section handoff-fig04 {
    foreach rate {1Mb 11Mb} {
        foreach sender {newreno westwood freeze} {
            measure handoff.tcl "handoff-fig04 $sender new=$rate" sender=$sender rates=6Mb,$rate \
                duration=40.1 "windows=25-40;31-34;31.2-32"
        }
    }
}

section handoff-fig06 {
    foreach wire {0.025 0.050} {
        foreach rate {1Mb 2Mb 3Mb 4.5Mb 6Mb 8Mb 9.5Mb 11Mb 12Mb} {
            foreach {sender radios} {cross-layer 2 newreno 1 westwood 1 freeze 1 newreno 2} {
                measure handoff.tcl "handoff-fig06 $sender radios=$radios wire=$wire new=$rate" \
                    sender=$sender radios=$radios wire=$wire rates=6Mb,$rate duration=35
            }
        }
    }
}

section handoff-fig07 {
    # How long the phone is in both cells concerns only who probes.
    foreach rate {1Mb 11Mb} {
        foreach {speed enter leave} {10 37.5 82.5 25 51 69 50 55.5 64.5 75 57 63 100 57.75 62.25} {
            measure handoff.tcl "handoff-fig07 cross-layer speed=$speed new=$rate" sender=cross-layer \
                radios=2 rates=6Mb,$rate enter=$enter move=60 leave=$leave duration=65 windows=55.5-64.5
        }
        foreach sender {newreno westwood freeze} {
            measure handoff.tcl "handoff-fig07 $sender new=$rate" sender=$sender rates=6Mb,$rate \
                move=60 leave=64.5 duration=65 windows=55.5-64.5
        }
    }
}

section handoff-fig08 {
    for {set n 1} {$n <= 10} {incr n} {
        foreach {sender radios} {cross-layer 2 newreno 1 westwood 1 freeze 1} {
            measure handoff.tcl "handoff-fig08 $sender n=$n" sender=$sender radios=$radios residents=$n \
                duration=35.1 windows=30-35
        }
    }
    measure handoff.tcl "handoff-fig08 new path only n=5" sender=cross-layer radios=2 meanwhile=new \
        residents=5 duration=35.1 windows=30-35
}
