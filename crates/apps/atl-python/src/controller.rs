//! Window controllers written in Python: an object with `on_ack`, `on_loss`, `on_timeout` and
//! `window`.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use atl_core::time::Time;
use atl_core::window::{self, BuildController, WindowController};
use atl_engine::Cancel;
use atl_engine::protocol::{Protocol, Transport};
use atl_scenario::scenario::Scenario;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::errors;
use crate::events::{Ack, Loss, Marked, Sent, Start, Timeout};

/// Upper limit on a controller's window in packets.
const MOST: f64 = 1e9;

/// Makes a controller for each connection by calling a Python class, or another callable, with a
/// `Start`.
#[derive(Clone)]
pub(crate) struct Factory {
    shared: Arc<Shared>,
}

struct Shared {
    /// Name of a flow or a flow group, or `*`.
    flow: String,
    make: Py<PyAny>,
    name: String,
    raised: Mutex<Option<PyErr>>,
    cancel: Cancel,
}

impl fmt::Debug for Factory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Factory({})", self.shared.name)
    }
}

impl PartialEq for Factory {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }
}

impl Factory {
    /// A factory for each flow or group with a controller in Python. An exception in one of them
    /// cancels the runs.
    pub(crate) fn all(
        py: Python<'_>,
        controllers: Vec<(String, Py<PyAny>)>,
        cancel: &Cancel,
    ) -> PyResult<Vec<Factory>> {
        let of = |(flow, make): (String, Py<PyAny>)| {
            let bound = make.bind(py);
            if !bound.is_callable() {
                let text = format!(
                    "controllers[{flow:?}]: expected a class or a function that takes an atl.Start, not {}",
                    bound.repr()?
                );
                return Err(PyTypeError::new_err(text));
            }
            let name = bound.getattr("__qualname__").and_then(|name| name.extract());
            let name =
                name.or_else(|_| Ok::<_, PyErr>(bound.get_type().qualname()?.to_string()))?;
            let (raised, cancel) = (Mutex::default(), cancel.clone());
            Ok(Factory { shared: Arc::new(Shared { flow, make, name, raised, cancel }) })
        };
        controllers.into_iter().map(of).collect()
    }

    /// Takes the exception that a controller raised, if any.
    pub(crate) fn raised(&self) -> Option<PyErr> {
        self.shared.raised.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn raise(&self, error: PyErr) {
        let mut raised = self.shared.raised.lock().unwrap_or_else(PoisonError::into_inner);
        raised.get_or_insert(error);
        self.shared.cancel.cancel();
    }
}

/// Replaces the controllers of flows. Gives the names of the new controllers, if there are any, for
/// the scenario's hash: it must differ from that of the same scenario without them.
///
/// # Errors
/// If a name does not belong to a TCP flow.
pub(crate) fn install(
    py: Python<'_>,
    scenario: &mut Scenario,
    factories: &[Factory],
) -> PyResult<Option<String>> {
    for factory in factories {
        let wanted = &factory.shared.flow;
        let mut found = false;
        for flow in scenario.points.iter_mut().flat_map(|point| &mut point.setup.flows) {
            if wanted != "*" && *wanted != flow.name && *wanted != flow.group {
                continue;
            }
            let Transport::Tcp(tcp) = &mut flow.protocol.transport else { continue };
            tcp.controller = factory.clone().into();
            let name = &factory.shared.name;
            flow.protocol = Protocol {
                name: format!("python:{name}"),
                label: name.clone(),
                transport: flow.protocol.transport.clone(),
                new_path: flow.protocol.new_path,
            };
            found = true;
        }
        if !found {
            let flows = scenario.points.iter().flat_map(|point| &point.setup.flows);
            let mut names: Vec<&str> =
                flows.filter(|f| f.protocol.tcp().is_some()).map(|f| &*f.group).collect();
            names.dedup();
            let known = names.join("`, `");
            let text =
                format!("controllers: there is no TCP flow `{wanted}` (there are `{known}`)");
            return Err(errors::usage(py, text));
        }
    }
    let names: Vec<String> =
        factories.iter().map(|f| format!("{}={}", f.shared.flow, f.shared.name)).collect();
    if names.is_empty() {
        return Ok(None);
    }
    let names = names.join(", ");
    scenario.hash = format!("{}+python({names})", scenario.hash);
    Ok(Some(names))
}

impl BuildController for Factory {
    fn build(&self, start: &window::Start) -> Box<dyn WindowController> {
        let made = Python::attach(|py| {
            let object = self.shared.make.call1(py, (Start::from(start),))?;
            let bound = object.bind(py);
            for &method in MUST {
                if !bound.getattr_opt(method)?.is_some_and(|m| m.is_callable()) {
                    let text = format!("{} has no method {method}", self.shared.name);
                    return Err(PyTypeError::new_err(text));
                }
            }
            let mut made = InPython {
                factory: self.clone(),
                object: Some(object.clone_ref(py)),
                has: Has::of(bound)?,
                window: 1.0,
                ssthresh: f64::INFINITY,
            };
            made.look(bound)?;
            Ok(made)
        });
        Box::new(made.unwrap_or_else(|error| {
            self.raise(error);
            InPython::dead(self)
        }))
    }
}

/// A controller that delegates to a Python object.
struct InPython {
    factory: Factory,
    /// `None` once it has raised an exception.
    object: Option<Py<PyAny>>,
    has: Has,
    window: f64,
    ssthresh: f64,
}

impl fmt::Debug for InPython {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {} packets", self.factory, self.window)
    }
}

impl Clone for InPython {
    fn clone(&self) -> Self {
        let copied = Python::attach(|py| {
            let copy = |object: &Py<PyAny>| py.import("copy")?.call_method1("deepcopy", (object,));
            self.object.as_ref().map(|object| copy(object).map(Bound::unbind)).transpose()
        });
        let object = copied.unwrap_or_else(|error| {
            self.factory.raise(error);
            None
        });
        InPython { factory: self.factory.clone(), object, ..*self }
    }
}

impl InPython {
    /// A controller that does nothing, for runs that are being cancelled.
    fn dead(factory: &Factory) -> InPython {
        InPython {
            factory: factory.clone(),
            object: None,
            has: Has::default(),
            window: 1.0,
            ssthresh: f64::INFINITY,
        }
    }

    /// Reads the object's window.
    fn look(&mut self, object: &Bound<'_, PyAny>) -> PyResult<()> {
        let window: f64 = object.getattr("window")?.extract()?;
        if !(1.0..=MOST).contains(&window) {
            let name = &self.factory.shared.name;
            let text = format!("{name}.window is {window}: expected 1 to {MOST:e} packets");
            return Err(PyValueError::new_err(text));
        }
        self.window = window;
        if let Some(ssthresh) = object.getattr_opt("ssthresh")? {
            let ssthresh: f64 = ssthresh.extract()?;
            if ssthresh.is_nan() || ssthresh <= 0.0 {
                let name = &self.factory.shared.name;
                let text = format!("{name}.ssthresh is {ssthresh}: expected more than 0 packets");
                return Err(PyValueError::new_err(text));
            }
            self.ssthresh = ssthresh;
        }
        Ok(())
    }

    /// Calls a method with an event, then reads the window.
    fn tell<'a, E>(&mut self, method: &str, event: E)
    where
        E: for<'py> IntoPyObject<'py> + 'a,
    {
        let Some(object) = self.object.take() else { return };
        let told = Python::attach(|py| {
            let bound = object.bind(py);
            bound.call_method1(method, (event,))?;
            self.look(bound)
        });
        match told {
            Ok(()) => self.object = Some(object),
            Err(error) => self.factory.raise(error),
        }
    }
}

/// Writes the joint between the suite and an object from one list: its methods, what each is given,
/// and for those that an object need not have, what happens without one.
macro_rules! told {
    (must { $($must:ident($told:ident: $kind:ty) = $shown:expr;)* }
     may { $($may:ident($heard:ident: $sort:ty) = $seen:expr
         $(, else |$without:ident| $default:expr)?;)* }) => {
        /// Methods that an object has to have.
        const MUST: &[&str] = &[$(stringify!($must)),*];

        /// Which of the other methods it has.
        #[derive(Clone, Copy, Debug, Default)]
        struct Has { $($may: bool),* }

        impl Has {
            fn of(object: &Bound<'_, PyAny>) -> PyResult<Has> {
                Ok(Has { $($may: object.hasattr(stringify!($may))?),* })
            }
        }

        impl WindowController for InPython {
            $(fn $must(&mut self, $told: $kind) {
                self.tell(stringify!($must), $shown);
            })*
            $(fn $may(&mut self, $heard: $sort) {
                if self.has.$may {
                    self.tell(stringify!($may), $seen);
                }
                $(else {
                    let $without = self;
                    $default;
                })?
            })*
            fn window(&self) -> f64 {
                self.window
            }
            fn ssthresh(&self) -> f64 {
                self.ssthresh
            }
        }
    };
}

told! {
    must {
        on_ack(ack: &window::Ack) = Ack::from(ack);
        on_loss(loss: &window::Loss) = Loss::from(loss);
        on_timeout(timeout: &window::Timeout) = Timeout::from(timeout);
    }
    may {
        on_sent(sent: &window::Sent) = Sent::from(sent);
        on_marked(marked: &window::Marked) = Marked::from(marked),
            else |controller| controller.on_loss(&marked.as_loss());
        on_recovered(now: Time) = crate::events::seconds(now);
    }
}
