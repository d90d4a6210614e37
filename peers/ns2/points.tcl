# What is run: `point NAME KEY=VALUE...`, in sections. One line of runs.csv for each flow and seed.

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
