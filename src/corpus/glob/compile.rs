//! From the tree of a regular expression to a program.
//!
//! What is left to emit is kept on a stack of our own, so depth is bounded by memory only.

use super::jsregex::{Ast, Node, NodeId};
use super::program::{Inst, Look, MAX_INSTRUCTIONS, Number, Pc, Program, number};

/// The program would be longer than [`MAX_INSTRUCTIONS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLarge;

/// What is left to emit.
#[derive(Clone, Copy)]
enum Task {
    Node(NodeId),
    /// The alternatives `next..end` of a node, with the chain of jumps to its end.
    Alternatives {
        next: usize,
        end: usize,
        jumps: Option<Pc>,
    },
    /// The branch of an alternative is complete.
    Branch {
        split: Pc,
        next: usize,
        end: usize,
        jumps: Option<Pc>,
    },
    /// The last branch is complete.
    EndAlternatives {
        jumps: Option<Pc>,
    },
    /// `done` copies of a repetition's child are complete.
    Copies {
        node: NodeId,
        done: u32,
        exits: Option<Pc>,
    },
    /// The body of an endless loop is complete.
    EndLoop {
        split: Pc,
        slot: Option<Number>,
    },
    Emit(Inst),
    EndLook {
        open: Pc,
        backward: bool,
    },
}

struct Compiler<'a> {
    ast: &'a Ast,
    program: Program,
    tasks: Vec<Task>,
    backward: bool,
    /// With captures, for backreferences.
    captures: bool,
    /// The number of each lookaround already met, by node.
    looks: Vec<Option<usize>>,
    /// The nodes of `program.looks`.
    look_bodies: Vec<NodeId>,
}

/// Compiles an expression; with captures where it has backreferences.
pub fn compile(ast: &Ast) -> Result<Program, TooLarge> {
    let captures = ast.has_backreference;
    let mut compiler = Compiler {
        ast,
        program: Program::default(),
        tasks: Vec::new(),
        backward: false,
        captures,
        looks: Vec::new(),
        look_bodies: Vec::new(),
    };
    if captures {
        compiler.program.slots = 2 * (ast.captures + 1);
    }
    compiler.program.anchored = match ast.node(ast.root) {
        Node::Concat(range) => {
            ast.children(range).first().is_some_and(|&first| *ast.node(first) == Node::Start)
        }
        _ => false,
    };
    compiler.body(ast.root)?;
    // Bodies may hold further lookarounds, which are appended: inner ones always have higher numbers.
    let mut next = 0;
    while let Some(&body) = compiler.look_bodies.get(next) {
        compiler.backward = !compiler.program.looks[next].behind;
        compiler.program.looks[next].entry = compiler.program.code.len();
        compiler.body(body)?;
        next += 1;
    }
    compiler.program.sets.clone_from(&ast.sets);
    compiler.program.code.shrink_to_fit();
    compiler.program.looks.shrink_to_fit();
    Ok(compiler.program)
}

impl Compiler<'_> {
    fn body(&mut self, node: NodeId) -> Result<(), TooLarge> {
        self.tasks.push(Task::Emit(Inst::Match));
        self.tasks.push(Task::Node(node));
        while let Some(task) = self.tasks.pop() {
            self.run(task)?;
        }
        Ok(())
    }

    fn emit(&mut self, inst: Inst) -> Result<Pc, TooLarge> {
        if self.program.code.len() >= MAX_INSTRUCTIONS {
            return Err(TooLarge);
        }
        self.program.code.push(inst);
        Ok(self.program.code.len() - 1)
    }

    /// A split whose first way is the next instruction and whose second is still open.
    fn emit_split(&mut self) -> Result<Pc, TooLarge> {
        let join = self.number_join();
        let second = number(self.program.code.len());
        self.emit(Inst::Split { second, join })
    }

    fn number_join(&mut self) -> Number {
        self.program.joins += 1;
        number(self.program.joins - 1)
    }

    fn point_second(&mut self, split: Pc, to: Pc) {
        if let Inst::Split { second, .. } = &mut self.program.code[split] {
            *second = number(to);
        }
    }

    /// Emits a join and points a chain of jumps or splits at it, each of which holds the previous one.
    fn emit_join(&mut self, mut chain: Option<Pc>) -> Result<(), TooLarge> {
        let join = self.number_join();
        let pc = self.emit(Inst::Join(join))?;
        while let Some(link) = chain {
            let (Inst::Jump(target) | Inst::Split { second: target, .. }) = &mut self.program.code[link]
            else {
                break;
            };
            chain = Some(*target as Pc).filter(|next| *next != link);
            *target = number(pc);
        }
        Ok(())
    }

    fn run(&mut self, task: Task) -> Result<(), TooLarge> {
        match task {
            Task::Node(id) => self.node(id)?,
            Task::Emit(inst) => {
                self.emit(inst)?;
            }
            Task::Alternatives { next, end, jumps } => {
                let child = self.ast.children(&(next..end))[0];
                if next + 1 == end {
                    self.tasks.push(Task::EndAlternatives { jumps });
                } else {
                    let split = self.emit_split()?;
                    self.tasks.push(Task::Branch { split, next: next + 1, end, jumps });
                }
                self.tasks.push(Task::Node(child));
            }
            Task::Branch { split, next, end, jumps } => {
                let pc = self.program.code.len();
                self.emit(Inst::Jump(number(jumps.unwrap_or(pc))))?;
                self.point_second(split, pc + 1);
                self.tasks.push(Task::Alternatives { next, end, jumps: Some(pc) });
            }
            Task::EndAlternatives { jumps } => self.emit_join(jumps)?,
            Task::Copies { node, done, exits } => self.copies(node, done, exits)?,
            Task::EndLoop { split, slot } => {
                if let Some(slot) = slot {
                    self.emit(Inst::Progress(slot))?;
                }
                self.emit(Inst::Jump(number(split)))?;
                let exit = self.program.code.len();
                self.point_second(split, exit);
            }
            Task::EndLook { open, backward } => {
                self.emit(Inst::LookClose)?;
                let after = self.program.code.len();
                if let Inst::LookOpen { end, .. } = &mut self.program.code[open] {
                    *end = number(after);
                }
                self.backward = backward;
            }
        }
        Ok(())
    }

    fn node(&mut self, id: NodeId) -> Result<(), TooLarge> {
        let ast = self.ast;
        let inst = match ast.node(id) {
            Node::Empty => return Ok(()),
            Node::Unit(unit) => Inst::Unit(*unit),
            Node::Set(set) => self.take_set(*set),
            Node::Start => Inst::Start,
            Node::End => Inst::End,
            Node::WordBoundary { negated } => Inst::WordBoundary { negated: *negated },
            Node::Concat(range) => {
                let children = ast.children(range).iter().map(|&child| Task::Node(child));
                if self.backward {
                    self.tasks.extend(children);
                } else {
                    self.tasks.extend(children.rev());
                }
                return Ok(());
            }
            Node::Alternation(range) => {
                self.tasks.push(Task::Alternatives { next: range.start, end: range.end, jumps: None });
                return Ok(());
            }
            Node::Repeat { .. } => {
                self.tasks.push(Task::Copies { node: id, done: 0, exits: None });
                return Ok(());
            }
            Node::Capture { child, index } => {
                if self.captures {
                    let (first, last) =
                        (2 * index + usize::from(self.backward), 2 * index + usize::from(!self.backward));
                    self.emit(Inst::Save(number(first)))?;
                    self.tasks.push(Task::Emit(Inst::Save(number(last))));
                }
                self.tasks.push(Task::Node(*child));
                return Ok(());
            }
            Node::Look { child, behind, negated } => return self.look(id, *child, *behind, *negated),
            Node::Backreference(index) => Inst::Recall(number(*index)),
        };
        self.emit(inst)?;
        Ok(())
    }

    fn take_set(&self, set: usize) -> Inst {
        if self.ast.sets[set].is_all_but_slash() { Inst::NotSlash } else { Inst::Set(number(set)) }
    }

    /// Emits the next copy of a repetition's child, or its loop, or its end.
    fn copies(&mut self, node: NodeId, done: u32, exits: Option<Pc>) -> Result<(), TooLarge> {
        let Node::Repeat { child, min, max, captures } = self.ast.node(node) else { return Ok(()) };
        if max.is_some_and(|max| done >= max) {
            return if exits.is_some() { self.emit_join(exits) } else { Ok(()) };
        }
        if done == 0 && *min > 0 && *self.ast.node(*child) == Node::Empty {
            return Ok(());
        }
        // An optional copy must take something, which only matters to captures.
        let slot = (self.captures && done >= *min).then(|| {
            self.program.slots += 1;
            number(self.program.slots - 1)
        });
        if done < *min {
            self.tasks.push(Task::Copies { node, done: done + 1, exits });
        } else {
            let split = self.emit_split()?;
            if max.is_none() {
                self.tasks.push(Task::EndLoop { split, slot });
            } else {
                self.point_second(split, exits.unwrap_or(split));
                self.tasks.push(Task::Copies { node, done: done + 1, exits: Some(split) });
                self.tasks.extend(slot.map(|slot| Task::Emit(Inst::Progress(slot))));
            }
        }
        if let Some(slot) = slot {
            self.emit(Inst::Save(slot))?;
        }
        if self.captures && !captures.is_empty() {
            let (from, to) = (2 * (captures.start + 1), 2 * (captures.end + 1));
            self.emit(Inst::Forget { from: number(from), to: number(to) })?;
        }
        // A counted copy may emit nothing; without this the count alone would bound the work.
        if done > 0 && done < *min {
            let join = self.number_join();
            self.emit(Inst::Join(join))?;
        }
        self.tasks.push(Task::Node(*child));
        Ok(())
    }

    fn look(&mut self, id: NodeId, child: NodeId, behind: bool, negated: bool) -> Result<(), TooLarge> {
        if !behind && let Some(inst) = self.short_look(child, negated) {
            self.emit(inst)?;
            return Ok(());
        }
        if self.captures {
            let open = self.emit(Inst::LookOpen { behind, negated, end: 0 })?;
            self.tasks.push(Task::EndLook { open, backward: self.backward });
            self.tasks.push(Task::Node(child));
            self.backward = behind;
            return Ok(());
        }
        if self.looks.is_empty() {
            self.looks = vec![None; self.ast.len()];
        }
        let known = self.looks[id];
        let look = known.unwrap_or(self.program.looks.len());
        if known.is_none() {
            self.looks[id] = Some(look);
            self.program.looks.push(Look { entry: 0, behind });
            self.look_bodies.push(child);
        }
        self.emit(Inst::Look { look: number(look), negated })?;
        Ok(())
    }

    /// The lookaheads of nearly every pattern, which need to look at one or two units only.
    fn short_look(&self, child: NodeId, negated: bool) -> Option<Inst> {
        let ast = self.ast;
        match ast.node(child) {
            Node::Unit(unit) => Some(Inst::NextUnit { unit: *unit, negated }),
            Node::Set(set) => Some(Inst::NextSet { set: number(*set), negated }),
            Node::Concat(range) if negated => {
                let &[before, dot] = ast.children(range) else { return None };
                let Node::Alternation(ways) = ast.node(before) else { return None };
                let &[start, slash] = ast.children(ways) else { return None };
                let is_unit = |id, byte: u8| *ast.node(id) == Node::Unit(u16::from(byte));
                let hidden = *ast.node(start) == Node::Start && is_unit(slash, b'/') && is_unit(dot, b'.');
                hidden.then_some(Inst::NoHiddenSegment)
            }
            _ => None,
        }
    }
}
