//! Flows whose window is set from outside between steps of a simulation, for learning agents.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use atl_core::time::Span;
use atl_core::window::{Ack, BuildController, Loss, Marked, Start, Timeout, WindowController};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Window of the flow, and its events since the last [`Steering::take`].
#[derive(Clone, Copy, Debug)]
struct State {
    window: f64,
    /// Number of packets reported as arrived by ACKs.
    delivered: u64,
    /// Number of packets found lost.
    lost: u64,
    timeouts: u64,
    /// Sum of measured RTTs in seconds, and their number.
    rtt: (f64, u64),
    rtt_min: Option<f64>,
    srtt: Option<f64>,
    in_flight: u32,
}

/// Handle of a steered flow: set `window`, advance the simulation, then `take` the events in
/// between.
#[pyclass(frozen, module = "atl")]
#[derive(Clone, Debug)]
pub(crate) struct Steering(Arc<Mutex<State>>);

impl Steering {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Parameters of a controller that obeys this handle.
    pub(crate) fn config(&self) -> Steered {
        Steered(self.clone())
    }
}

#[pymethods]
impl Steering {
    /// A handle with an initial window in packets.
    #[new]
    #[pyo3(signature = (window=10.0))]
    fn new(window: f64) -> PyResult<Steering> {
        let state = State {
            window: 10.0,
            delivered: 0,
            lost: 0,
            timeouts: 0,
            rtt: (0.0, 0),
            rtt_min: None,
            srtt: None,
            in_flight: 0,
        };
        let steering = Steering(Arc::new(Mutex::new(state)));
        steering.set_window(window)?;
        Ok(steering)
    }

    /// Window of the flow in packets.
    #[getter]
    fn window(&self) -> f64 {
        self.state().window
    }

    #[setter]
    fn set_window(&self, window: f64) -> PyResult<()> {
        if !(1.0..=1e9).contains(&window) {
            let text = format!("window: {window} packets; expected 1 to 1e9");
            return Err(PyValueError::new_err(text));
        }
        self.state().window = window;
        Ok(())
    }

    /// Events since the last call: packets delivered, packets lost, timeouts, mean RTT in seconds
    /// (`None` without a measurement), SRTT, minimum RTT since the start, packets in flight at the
    /// last event.
    fn take(&self) -> (u64, u64, u64, Option<f64>, Option<f64>, Option<f64>, u32) {
        let mut state = self.state();
        let State {
            delivered, lost, timeouts, rtt: (sum, count), rtt_min, srtt, in_flight, ..
        } = *state;
        (state.delivered, state.lost, state.timeouts, state.rtt) = (0, 0, 0, (0.0, 0));
        let rtt = (count > 0).then(|| sum / count as f64);
        (delivered, lost, timeouts, rtt, srtt, rtt_min, in_flight)
    }
}

/// Parameters of [`Wheel`].
#[derive(Clone, Debug)]
pub(crate) struct Steered(Steering);

impl PartialEq for Steered {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0.0, &other.0.0)
    }
}

impl BuildController for Steered {
    fn build(&self, _: &Start) -> Box<dyn WindowController> {
        Box::new(Wheel(self.0.clone()))
    }
}

/// Controller of a steered flow, which only records events.
#[derive(Clone, Debug)]
struct Wheel(Steering);

impl WindowController for Wheel {
    fn on_ack(&mut self, ack: &Ack) {
        let mut state = self.0.state();
        state.delivered += u64::from(ack.delivered);
        state.in_flight = ack.in_flight;
        if let Some(rtt) = ack.rtt {
            state.rtt = (state.rtt.0 + rtt.secs(), state.rtt.1 + 1);
        }
        let measured = |span: Span| (!span.is_zero()).then(|| span.secs());
        (state.srtt, state.rtt_min) = (measured(ack.srtt), measured(ack.rtt_min));
    }

    fn on_loss(&mut self, loss: &Loss) {
        let mut state = self.0.state();
        state.lost += u64::from(loss.packets);
        state.in_flight = loss.in_flight.saturating_sub(loss.packets);
    }

    /// A mark is no loss.
    fn on_marked(&mut self, marked: &Marked) {
        self.0.state().in_flight = marked.in_flight;
    }

    fn on_timeout(&mut self, timeout: &Timeout) {
        let mut state = self.0.state();
        state.timeouts += 1;
        state.in_flight = timeout.in_flight;
    }

    fn window(&self) -> f64 {
        self.0.state().window
    }
}
