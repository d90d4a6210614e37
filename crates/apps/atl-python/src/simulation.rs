//! A single run, advanced step by step.

use atl_core::time::{Span, Time};
use atl_engine::Cancel;
use atl_engine::protocol::Transport;
use atl_sim::{Options, Simulation as Run};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::controller::{self, Factory};
use crate::events::seconds;
use crate::opening::Request;
use crate::running::check;
use crate::steering::Steering;
use crate::{engines, errors};

/// Simulated time between checks for signals and for exceptions of controllers.
const SLICE: Span = Span::from_millis(100);

/// One run of a scenario in the simulator, which pauses between calls.
#[pyclass(unsendable, module = "atl")]
#[derive(Debug)]
pub(crate) struct Simulation {
    run: Run,
    names: Vec<String>,
    links: Vec<String>,
    duration: Span,
    factories: Vec<Factory>,
}

impl Simulation {
    fn flow(&self, flow: usize) -> PyResult<usize> {
        let count = self.names.len();
        if flow < count {
            return Ok(flow);
        }
        Err(PyIndexError::new_err(format!("flow {flow}: there are {count}, numbered from 0")))
    }

    fn raised(&self) -> PyResult<()> {
        self.factories.iter().find_map(Factory::raised).map_or(Ok(()), Err)
    }
}

#[pymethods]
impl Simulation {
    /// A run at time zero, of the sweep's point with this index, with this seed. `controllers`
    /// holds Python classes by name of flow, `steering` the handles of flows steered from outside.
    #[new]
    fn new(
        py: Python<'_>,
        request: Request,
        point: usize,
        seed: u64,
        controllers: Vec<(String, Py<PyAny>)>,
        steering: Vec<(String, Py<Steering>)>,
    ) -> PyResult<Simulation> {
        let mut scenario = request.open(py)?;
        check(py, &engines::choose(py, &["sim".to_owned()])?, &scenario)?;
        let factories = Factory::all(py, controllers, &Cancel::default())?;
        controller::install(py, &mut scenario, &factories)?;
        let points = scenario.points.len();
        let Some(chosen) = scenario.points.get_mut(point) else {
            let text = format!("point {point}: the sweep has {points}, numbered from 0");
            return Err(PyIndexError::new_err(text));
        };
        let setup = &mut chosen.setup;
        for (name, wheel) in steering {
            let flow = setup.flows.iter_mut().find(|flow| flow.name == name || flow.group == name);
            match flow.map(|flow| &mut flow.protocol.transport) {
                Some(Transport::Tcp(tcp)) => tcp.controller = wheel.get().config().into(),
                _ => {
                    return Err(errors::usage(
                        py,
                        format!("steering: there is no TCP flow `{name}`"),
                    ));
                }
            }
        }
        let run = Run::with_options(setup, seed, Options::default());
        let simulation = Simulation {
            run,
            names: setup.flows.iter().map(|flow| flow.name.clone()).collect(),
            links: setup.links.iter().map(|link| link.name.clone()).collect(),
            duration: setup.duration,
            factories,
        };
        simulation.raised()?;
        Ok(simulation)
    }

    /// Handles the next event; false at the end of the run.
    fn step(&mut self) -> PyResult<bool> {
        let more = self.run.step(Time::MAX);
        self.raised()?;
        Ok(more)
    }

    /// Advances by this many simulated seconds, or to the end of the run; false at the end.
    fn advance(&mut self, py: Python<'_>, seconds: f64) -> PyResult<bool> {
        if !(seconds >= 0.0 && seconds.is_finite()) {
            let text = format!("advance({seconds}): expected 0 or more seconds");
            return Err(PyValueError::new_err(text));
        }
        let end = Time::ZERO + self.duration;
        let until = (self.run.now() + Span::from_secs_f64(seconds)).min(end);
        loop {
            let next = (self.run.now() + SLICE).min(until);
            self.run.advance_to(next);
            self.raised()?;
            if next >= until {
                return Ok(until < end);
            }
            py.check_signals()?;
        }
    }

    /// Simulated seconds since the run began.
    #[getter]
    fn now(&self) -> f64 {
        seconds(self.run.now())
    }

    /// Duration of the run in simulated seconds.
    #[getter]
    fn duration(&self) -> f64 {
        self.duration.secs()
    }

    /// Number of events handled so far.
    #[getter]
    fn events(&self) -> u64 {
        self.run.events()
    }

    /// Names of the flows, by index.
    #[getter]
    fn flows(&self) -> Vec<String> {
        self.names.clone()
    }

    /// Names of the links, by index.
    #[getter]
    fn links(&self) -> Vec<String> {
        self.links.clone()
    }

    /// Payload bytes that a flow, by index, has delivered in order so far.
    fn delivered(&self, flow: usize) -> PyResult<u64> {
        Ok(self.run.delivered_bytes(self.flow(flow)?))
    }

    /// Packets queued at a link, by index.
    fn waiting(&self, link: usize) -> PyResult<usize> {
        let count = self.links.len();
        if link >= count {
            let text = format!("link {link}: there are {count}, numbered from 0");
            return Err(PyIndexError::new_err(text));
        }
        Ok(self.run.waiting(link))
    }

    /// State of a flow, by index: `cwnd`, `cwnd_beside` and `ssthresh` in packets, `rate_bps`,
    /// `in_flight` in packets, `srtt_s`. `None` for values that the flow does not have, or not yet.
    fn state<'py>(&mut self, py: Python<'py>, flow: usize) -> PyResult<Bound<'py, PyDict>> {
        let flow = self.flow(flow)?;
        let state = self.run.state(flow);
        let all = PyDict::new(py);
        all.set_item("cwnd", state.cwnd)?;
        all.set_item("cwnd_beside", state.cwnd_beside)?;
        all.set_item("ssthresh", state.ssthresh.filter(|ssthresh| ssthresh.is_finite()))?;
        all.set_item("rate_bps", state.rate_bps)?;
        all.set_item("in_flight", state.in_flight)?;
        all.set_item("srtt_s", state.srtt.map(Span::secs))?;
        Ok(all)
    }
}
