//! The places of a file that can be changed, found in its syntax tree.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, Lit, Stmt, UnOp};

use crate::place::{Change, Found, Place};

/// Methods of which one becomes another of the same type.
const METHODS: &[(&str, &str)] = &[
    ("min", "max"),
    ("max", "min"),
    ("is_some", "is_none"),
    ("is_none", "is_some"),
    ("is_ok", "is_err"),
    ("is_err", "is_ok"),
    ("is_some_and", "is_none_or"),
    ("is_none_or", "is_some_and"),
    ("any", "all"),
    ("all", "any"),
    ("floor", "ceil"),
    ("ceil", "floor"),
    ("first", "last"),
    ("last", "first"),
    ("front", "back"),
    ("back", "front"),
    ("saturating_add", "saturating_sub"),
    ("saturating_sub", "saturating_add"),
    ("wrapping_add", "wrapping_sub"),
    ("wrapping_sub", "wrapping_add"),
    ("checked_add", "checked_sub"),
    ("checked_sub", "checked_add"),
];

/// Methods that limit or round their receiver, which stays without them.
const LIMITS: &[&str] = &["min", "max", "clamp", "abs", "sqrt", "round", "floor", "ceil"];

/// Functions whose arguments change nothing but how much memory is taken.
const CAPACITY: &[&str] = &["with_capacity", "reserve", "reserve_exact", "shrink_to"];

/// Types of constants that are doubled.
const NUMBERS: &[&str] =
    &["f64", "f32", "u8", "u16", "u32", "u64", "u128", "usize", "i32", "i64", "i128", "Span"];

/// Traits whose methods only show a value.
const SHOWN: &[&str] = &["Debug", "Display"];

/// Finds what can be changed in the text of a file. Unit tests, and what only shows values, stay.
///
/// # Errors
///
/// The text is no Rust.
pub fn find(text: &str) -> Result<Found, syn::Error> {
    let file = syn::parse_file(text)?;
    let mut finder = Finder {
        text,
        found: Found::default(),
        at: Vec::new(),
        in_const: false,
        decided: BTreeSet::new(),
        constants: BTreeMap::new(),
    };
    for item in &file.items {
        if let syn::Item::Const(constant) = item {
            finder.constant(constant);
        }
    }
    finder.visit_file(&file);
    // A constant that the file's functions never use is none of its changes.
    let Found { changes, places, functions, left_out } = finder.found;
    let used: BTreeSet<usize> =
        places.iter().flat_map(|place| place.variants.iter().map(|(of, _)| *of)).collect();
    let numbers: BTreeMap<usize, usize> =
        used.iter().enumerate().map(|(new, old)| (*old, new)).collect();
    let kept = changes.into_iter().enumerate();
    let changes = kept.filter(|(at, _)| used.contains(at)).map(|(_, change)| change).collect();
    let renumbered = |mut place: Place| {
        for (of, _) in &mut place.variants {
            *of = numbers[of];
        }
        place
    };
    Ok(Found { changes, places: places.into_iter().map(renumbered).collect(), functions, left_out })
}

/// Names of the modules that a file declares for tests only.
///
/// # Errors
///
/// The text is no Rust.
pub fn test_modules(text: &str) -> Result<Vec<String>, syn::Error> {
    let file = syn::parse_file(text)?;
    let modules = file.items.iter().filter_map(|item| match item {
        syn::Item::Mod(module) if module.content.is_none() && for_tests(&module.attrs) => {
            Some(module.ident.to_string())
        }
        _ => None,
    });
    Ok(modules.collect())
}

struct Finder<'a> {
    text: &'a str,
    found: Found,
    /// Types and functions around.
    at: Vec<String>,
    in_const: bool,
    /// Beginnings of conditions that are replaced as a whole, and so need not be negated.
    decided: BTreeSet<(usize, usize)>,
    /// Constants of the file, with the number of their change.
    constants: BTreeMap<String, usize>,
}

fn for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg")
                && attribute.parse_args::<syn::Meta>().is_ok_and(|meta| {
                    meta.path().is_ident("test") || meta.path().is_ident("doctest")
                })
    })
}

fn name_of(path: &syn::Path) -> String {
    path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default()
}

fn type_name(ty: &syn::Type) -> String {
    match ty {
        syn::Type::Path(path) => name_of(&path.path),
        _ => String::new(),
    }
}

/// A `let` among the links of a chain of `&&`.
fn has_let(expr: &Expr) -> bool {
    match expr {
        Expr::Let(_) => true,
        Expr::Binary(binary) if matches!(binary.op, BinOp::And(_)) => {
            has_let(&binary.left) || has_let(&binary.right)
        }
        Expr::Paren(inner) => has_let(&inner.expr),
        _ => false,
    }
}

/// A comparison turned into others: with its other boundary, and negated.
fn compared(op: &BinOp) -> Option<(Option<&'static str>, &'static str)> {
    Some(match op {
        BinOp::Lt(_) => (Some("<="), ">="),
        BinOp::Le(_) => (Some("<"), ">"),
        BinOp::Gt(_) => (Some(">="), "<="),
        BinOp::Ge(_) => (Some(">"), "<"),
        BinOp::Eq(_) => (None, "!="),
        BinOp::Ne(_) => (None, "=="),
        _ => return None,
    })
}

/// The inverse of an operator, or one that is as near.
fn computed(op: &BinOp) -> Option<&'static str> {
    Some(match op {
        BinOp::Add(_) => "-",
        BinOp::Sub(_) => "+",
        BinOp::Mul(_) => "/",
        BinOp::Div(_) => "*",
        BinOp::Rem(_) => "/",
        BinOp::BitAnd(_) => "|",
        BinOp::BitOr(_) => "&",
        BinOp::BitXor(_) => "|",
        BinOp::Shl(_) => ">>",
        BinOp::Shr(_) => "<<",
        BinOp::AddAssign(_) => "-=",
        BinOp::SubAssign(_) => "+=",
        BinOp::MulAssign(_) => "/=",
        BinOp::DivAssign(_) => "*=",
        BinOp::BitAndAssign(_) => "|=",
        BinOp::BitOrAssign(_) => "&=",
        BinOp::ShlAssign(_) => ">>=",
        BinOp::ShrAssign(_) => "<<=",
        _ => return None,
    })
}

fn assigns(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    )
}

impl Finder<'_> {
    fn range(node: &impl Spanned) -> Range<usize> {
        node.span().byte_range()
    }

    fn slice(&self, node: &impl Spanned) -> &str {
        &self.text[Self::range(node)]
    }

    fn change(&mut self, node: &impl Spanned, operator: &'static str, after: &str) -> usize {
        let span = node.span();
        let range = span.byte_range();
        self.found.changes.push(Change {
            before: one_line(&self.text[range.clone()]),
            range,
            lines: (span.start().line, span.end().line),
            function: self.at.join("::"),
            operator,
            after: one_line(after),
        });
        self.found.changes.len() - 1
    }

    /// Something else may stand for a node.
    fn instead(&mut self, node: &impl Spanned, operator: &'static str, text: String) {
        self.put(node, false, operator, text);
    }

    fn put(&mut self, node: &impl Spanned, statement: bool, operator: &'static str, text: String) {
        if self.in_const {
            self.found.left_out.in_const_functions += 1;
            return;
        }
        let number = self.change(node, operator, &text);
        self.variant(Self::range(node), statement, number, text);
    }

    fn variant(&mut self, range: Range<usize>, statement: bool, number: usize, text: String) {
        let same = |place: &&mut Place| place.range == range && place.statement == statement;
        match self.found.places.iter_mut().find(same) {
            Some(place) => place.variants.push((number, text)),
            None => {
                let variants = vec![(number, text)];
                self.found.places.push(Place { range, statement, variants });
            }
        }
    }

    fn constant(&mut self, item: &syn::ItemConst) {
        if !for_tests(&item.attrs) && NUMBERS.contains(&type_name(&item.ty).as_str()) {
            let name = item.ident.to_string();
            let twice = format!("({name} + {name})");
            let number = self.change(item, "constant doubled", &twice);
            let end = self.found.changes[number].before.find(" = ").unwrap_or(0);
            let change = &mut self.found.changes[number];
            change.function.clone_from(&name);
            let value = change.before.split_off(end);
            change.before = format!("const {name}{value}");
            self.constants.insert(name, number);
        }
    }

    /// A condition, or a part of one, that may become one of `values` whatever it is.
    fn condition(&mut self, expr: &Expr, values: &[bool]) {
        if has_let(expr) {
            return;
        }
        if let Expr::Paren(inner) = expr {
            return self.condition(&inner.expr, values);
        }
        if matches!(expr, Expr::Lit(_)) {
            return;
        }
        let range = Self::range(expr);
        self.decided.insert((range.start, range.end));
        for value in values {
            self.instead(expr, "condition", value.to_string());
        }
    }

    fn binary(&mut self, binary: &syn::ExprBinary) {
        let with = |finder: &Self, op: &str| {
            format!("({}) {op} ({})", finder.slice(&binary.left), finder.slice(&binary.right))
        };
        let range = Self::range(binary);
        let decided = self.decided.contains(&(range.start, range.end));
        if let Some((boundary, negated)) = compared(&binary.op) {
            if let Some(op) = boundary {
                let text = with(self, op);
                self.instead(binary, "boundary", text);
            }
            if !decided {
                let text = with(self, negated);
                self.instead(binary, "comparison", text);
            }
        } else if let BinOp::And(_) | BinOp::Or(_) = binary.op {
            // The value that leaves the decision to the rest of the condition.
            let neutral = matches!(binary.op, BinOp::And(_));
            for side in [&*binary.left, &*binary.right] {
                let same =
                    |op: &BinOp| std::mem::discriminant(op) == std::mem::discriminant(&binary.op);
                let chained = matches!(side, Expr::Binary(inner) if same(&inner.op));
                if !chained && !matches!(side, Expr::Let(_)) {
                    self.condition(side, &[neutral]);
                }
            }
        } else if assigns(&binary.op) {
            if let Some(op) = computed(&binary.op) {
                let text =
                    format!("{} {op} {}", self.slice(&binary.left), self.slice(&binary.right));
                self.instead(binary, "arithmetic", text);
            }
            self.instead(binary, "left out", "()".to_owned());
        } else if let Some(op) = computed(&binary.op) {
            let text = with(self, op);
            self.instead(binary, "arithmetic", text);
        }
    }

    fn literal(&mut self, literal: &syn::ExprLit) {
        let other = match &literal.lit {
            Lit::Bool(bool) => (!bool.value).to_string(),
            Lit::Int(int) => {
                let Ok(value) = int.base10_parse::<u64>() else { return };
                format!("{}{}", value.saturating_add(1), int.suffix())
            }
            Lit::Float(float) => {
                let Ok(value) = float.base10_parse::<f64>() else { return };
                let other = if value > 0.0 { value * 2.0 } else { 1.0 };
                format!("{other:?}{}", float.suffix())
            }
            _ => return,
        };
        self.instead(literal, "constant", other);
    }

    fn method(&mut self, call: &syn::ExprMethodCall) {
        let name = call.method.to_string();
        // `min` and `max` of an iterator have no argument, and limit nothing.
        if matches!(name.as_str(), "min" | "max") && call.args.is_empty() {
            return;
        }
        if let Some((_, other)) = METHODS.iter().find(|(from, _)| *from == name) {
            let method = Self::range(&call.method);
            let whole = Self::range(call);
            let text = format!(
                "{}{other}{}",
                &self.text[whole.start..method.start],
                &self.text[method.end..whole.end]
            );
            self.instead(call, "method", text);
        }
        if LIMITS.contains(&name.as_str()) {
            let text = self.slice(&call.receiver).to_owned();
            self.instead(call, "limit left out", text);
        }
    }

    fn function(&mut self, signature: &syn::Signature, attributes: &[syn::Attribute]) -> bool {
        if for_tests(attributes) {
            return false;
        }
        self.at.push(signature.ident.to_string());
        true
    }

    fn body(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let before = std::mem::replace(&mut self.in_const, signature.constness.is_some());
        self.found.functions.push(Self::range(block));
        self.visit_block(block);
        self.in_const = before;
        self.at.pop();
    }
}

/// White space as single spaces, so that a change stands in a line.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if self.function(&item.sig, &item.attrs) {
            self.body(&item.sig, &item.block);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if self.function(&item.sig, &item.attrs) {
            self.body(&item.sig, &item.block);
        }
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default
            && self.function(&item.sig, &item.attrs)
        {
            self.body(&item.sig, block);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !for_tests(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let shown = item
            .trait_
            .as_ref()
            .is_some_and(|(_, path, _)| SHOWN.contains(&name_of(path).as_str()));
        if !shown && !for_tests(&item.attrs) {
            self.at.push(type_name(&item.self_ty));
            visit::visit_item_impl(self, item);
            self.at.pop();
        }
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.at.push(item.ident.to_string());
        visit::visit_item_trait(self, item);
        self.at.pop();
    }

    // Known before the program runs, or no value.
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_item_enum(&mut self, _: &'ast syn::ItemEnum) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}

    fn visit_macro(&mut self, _: &'ast syn::Macro) {
        self.found.left_out.macros += 1;
    }

    fn visit_expr_repeat(&mut self, repeat: &'ast syn::ExprRepeat) {
        self.visit_expr(&repeat.expr);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        if let Some((_, guard)) = &arm.guard {
            self.condition(guard, &[true, false]);
        }
        visit::visit_arm(self, arm);
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        if let Stmt::Expr(Expr::Call(_) | Expr::MethodCall(_), Some(_)) = statement {
            self.put(statement, true, "left out", String::new());
        }
        visit::visit_stmt(self, statement);
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            Expr::If(branch) => {
                let joined =
                    |op: fn(&BinOp) -> bool| matches!(&*branch.cond, Expr::Binary(b) if op(&b.op));
                // Parts of a condition become what leaves the rest; the whole becomes the other.
                let values: &[bool] = if joined(|op| matches!(op, BinOp::And(_))) {
                    &[false]
                } else if joined(|op| matches!(op, BinOp::Or(_))) {
                    &[true]
                } else {
                    &[true, false]
                };
                self.condition(&branch.cond, values);
            }
            // Without an end it would only run until its time is up.
            Expr::While(branch) => self.condition(&branch.cond, &[false]),
            Expr::Binary(binary) => self.binary(binary),
            Expr::Assign(_) => self.instead(expr, "left out", "()".to_owned()),
            Expr::Unary(unary) => {
                let range = Self::range(unary);
                let decided = self.decided.contains(&(range.start, range.end));
                let operator = match unary.op {
                    UnOp::Not(_) if !decided => "negation left out",
                    UnOp::Neg(_) => "sign left out",
                    _ => "",
                };
                if !operator.is_empty() {
                    let text = self.slice(&unary.expr).to_owned();
                    self.instead(unary, operator, text);
                }
            }
            Expr::Lit(literal) => self.literal(literal),
            Expr::MethodCall(call) => {
                if CAPACITY.contains(&call.method.to_string().as_str()) {
                    return;
                }
                self.method(call);
            }
            Expr::Call(call) => {
                if let Expr::Path(path) = &*call.func {
                    if CAPACITY.contains(&name_of(&path.path).as_str()) {
                        return;
                    }
                    // A function by its name is no constant.
                    for argument in &call.args {
                        self.visit_expr(argument);
                    }
                    return;
                }
            }
            Expr::Path(path) => {
                let known = path.path.get_ident().and_then(|ident| {
                    self.constants
                        .get(&ident.to_string())
                        .map(|number| (ident.to_string(), *number))
                });
                if let Some((name, number)) = known
                    && !self.in_const
                {
                    self.variant(Self::range(path), false, number, format!("{name} + {name}"));
                }
            }
            _ => {}
        }
        visit::visit_expr(self, expr);
    }
}
