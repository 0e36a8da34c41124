//! Programs from text; the form is shown in [`super::print`]. Line ends are blanks, `//` starts a comment.

use super::lex::{Lexer, ParseError, Token, error};
use super::print::appearing;
use super::profile::Profile;
use super::verify::MAX_DEPTH;
use super::{Block, Function, Inst, Op, Program, Reg, Table};

/// Reads a program. It is not verified ([`super::verify::verify`]). How often its blocks ran is read over.
///
/// # Errors
/// If the text has not the form of a program, or nests too deep.
pub fn parse(text: &str) -> Result<Program, ParseError> {
    Ok(parse_counted(text)?.0)
}

/// As [`parse`], with how often the blocks of the program ran if the text says so ([`Profile::text`]). That fits the program.
///
/// # Errors
/// As for [`parse`]; if it is said of some blocks and not of others.
pub fn parse_counted(text: &str) -> Result<(Program, Option<Profile>), ParseError> {
    let mut lexer = Lexer::new(text);
    let (token, at) = lexer.next()?;
    let mut parser = Parser { lexer, token, at, counted: None, counts: Vec::new() };
    let (mut program, mut profile) = (Program::default(), Profile::default());
    loop {
        let at = parser.at;
        match parser.advance()? {
            Token::End => return Ok((program, (parser.counted == Some(true)).then_some(profile))),
            Token::Word(word) => match word.as_str() {
                "state" => program.state_words = parser.index()?,
                "scratch" => program.scratch_words = parser.index()?,
                "table" => {
                    let entries = parser.list("[", "]", Parser::number)?;
                    program.tables.push(Table { entries });
                }
                "fn" => {
                    program.functions.push(parser.function()?);
                    profile.functions.push(std::mem::take(&mut parser.counts));
                }
                _ => return Err(error(at, format!("`{word}` instead of `state`, `table` or `fn`"))),
            },
            other => return Err(error(at, format!("{other} instead of `state`, `table` or `fn`"))),
        }
    }
}

const UNEVEN: &str = "some blocks or sets of moves have a number with `@`, and some have not";

struct Parser<'t> {
    lexer: Lexer<'t>,
    token: Token,
    at: (usize, usize),
    /// Whether there are counts, once a place for one was met.
    counted: Option<bool>,
    /// Those of the present function.
    counts: Vec<u64>,
}

impl Parser<'_> {
    fn advance(&mut self) -> Result<Token, ParseError> {
        let (token, at) = self.lexer.next()?;
        self.at = at;
        Ok(std::mem::replace(&mut self.token, token))
    }

    fn wanted<T>(&self, what: &str) -> Result<T, ParseError> {
        Err(error(self.at, format!("{} instead of {what}", self.token)))
    }

    fn is(&self, sign: &str) -> bool {
        matches!(self.token, Token::Sign(found) if found == sign)
    }

    fn accept(&mut self, sign: &str) -> Result<bool, ParseError> {
        let found = self.is(sign);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    fn sign(&mut self, sign: &str) -> Result<(), ParseError> {
        if self.accept(sign)? { Ok(()) } else { self.wanted(&format!("`{sign}`")) }
    }

    fn accept_word(&mut self, word: &str) -> Result<bool, ParseError> {
        let found = matches!(&self.token, Token::Word(found) if found == word);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    fn register(&mut self) -> Result<Reg, ParseError> {
        let Token::Register(register) = self.token else { return self.wanted("a register") };
        self.advance()?;
        Ok(register)
    }

    fn number(&mut self) -> Result<u64, ParseError> {
        let Token::Number(number) = self.token else { return self.wanted("a number") };
        self.advance()?;
        Ok(number)
    }

    /// A number of 32 bits.
    fn index(&mut self) -> Result<u32, ParseError> {
        let at = self.at;
        let number = self.number()?;
        u32::try_from(number).map_err(|_| error(at, format!("`{number}` is too large here")))
    }

    /// Items between signs, with commas between them.
    fn list<T>(
        &mut self,
        open: &str,
        close: &str,
        item: impl Fn(&mut Self) -> Result<T, ParseError>,
    ) -> Result<Vec<T>, ParseError> {
        self.sign(open)?;
        let mut items = Vec::new();
        while !self.is(close) {
            if !items.is_empty() {
                self.sign(",")?;
            }
            items.push(item(self)?);
        }
        self.sign(close)?;
        Ok(items)
    }

    fn function(&mut self) -> Result<Function, ParseError> {
        let at = self.at;
        let name = match self.advance()? {
            Token::Word(name) | Token::Quoted(name) => name,
            other => return Err(error(at, format!("{other} instead of the name of a function"))),
        };
        let at = self.at;
        let params = self.list("(", ")", Self::register)?;
        if params.iter().zip(0..).any(|(&param, expected)| param != expected) {
            return Err(error(at, "the parameters of a function are r0, r1 and so on".to_owned()));
        }
        let params = params.len() as u32;
        let registers = if self.is("[") { self.list("[", "]", Self::index)?.first().copied() } else { None };
        let body = self.block(0)?;
        let mut used = params;
        appearing(&body, &mut |register| used = used.max(register.saturating_add(1)));
        Ok(Function { name, params, registers: registers.unwrap_or(used), body })
    }

    /// What was counted of the next block or set of moves, if the text says so.
    fn count(&mut self) -> Result<(), ParseError> {
        let (at, counted) = (self.at, self.accept("@")?);
        if *self.counted.get_or_insert(counted) != counted {
            return Err(error(at, UNEVEN.to_owned()));
        }
        if counted {
            let count = self.number()?;
            self.counts.push(count);
        }
        Ok(())
    }

    fn block(&mut self, depth: usize) -> Result<Block, ParseError> {
        if depth > MAX_DEPTH {
            return Err(error(self.at, format!("blocks are nested more than {MAX_DEPTH} deep")));
        }
        self.count()?;
        self.sign("{")?;
        let mut block = Block::default();
        while !self.is("}") {
            if self.accept_word("yield")? {
                block.yields.push(self.register()?);
                while self.accept(",")? {
                    block.yields.push(self.register()?);
                }
                break;
            }
            block.insts.push(self.inst(depth)?);
        }
        self.sign("}")?;
        Ok(block)
    }

    fn results(&mut self) -> Result<Vec<Reg>, ParseError> {
        if self.accept("->")? { self.list("(", ")", Self::register) } else { Ok(Vec::new()) }
    }

    fn first_values(&mut self) -> Result<Vec<(Reg, Reg)>, ParseError> {
        if !self.is("(") {
            return Ok(Vec::new());
        }
        self.list("(", ")", |parser| {
            let param = parser.register()?;
            parser.sign("=")?;
            Ok((param, parser.register()?))
        })
    }

    fn inst(&mut self, depth: usize) -> Result<Inst, ParseError> {
        let at = self.at;
        let word = match self.advance()? {
            Token::Register(to) => {
                self.sign("=")?;
                if self.accept_word("call")? {
                    let function = self.index()?;
                    return Ok(Inst::Call { function, args: self.list("(", ")", Self::register)?, to });
                }
                if self.accept_word("peek")? {
                    return Ok(Inst::Peek { to, at: self.register()? });
                }
                return Ok(Inst::Let { to, op: self.op()? });
            }
            Token::Word(word) => word,
            other => return Err(error(at, format!("{other} instead of an instruction"))),
        };
        match word.as_str() {
            "store" => {
                let word = self.index()?;
                self.sign(",")?;
                Ok(Inst::Store { word, value: self.register()? })
            }
            "poke" => {
                let at = self.register()?;
                self.sign(",")?;
                Ok(Inst::Poke { at, value: self.register()? })
            }
            "if" => {
                let (cond, to) = (self.register()?, self.results()?);
                let then = self.block(depth + 1)?;
                let other = if self.accept_word("else")? {
                    self.block(depth + 1)?
                } else if self.counted == Some(true) {
                    return Err(error(self.at, UNEVEN.to_owned()));
                } else {
                    Block::default()
                };
                Ok(Inst::If { cond, then, other, to })
            }
            "switch" => {
                let (on, to) = (self.register()?, self.results()?);
                let mut cases = Vec::new();
                self.sign("{")?;
                while self.accept_word("case")? {
                    cases.push(self.block(depth + 1)?);
                }
                self.sign("}")?;
                Ok(Inst::Switch { on, cases, to })
            }
            "each" => {
                let item = self.register()?;
                if !self.accept_word("in")? {
                    return self.wanted("`in`");
                }
                let (set, carried, to) = (self.register()?, self.first_values()?, self.results()?);
                Ok(Inst::Each { set, item, carried, body: self.block(depth + 1)?, to })
            }
            "loop" => {
                let (carried, to) = (self.first_values()?, self.results()?);
                Ok(Inst::Loop { carried, body: self.block(depth + 1)?, to })
            }
            "emit" => Ok(Inst::Emit { base: self.register()? }),
            "emitset" => {
                let base = self.register()?;
                self.sign("+")?;
                let set = self.register()?;
                self.sign("<<")?;
                let shift = self.index()?;
                self.count()?;
                Ok(Inst::EmitSet { base, set, shift })
            }
            "side_exit" => Ok(Inst::SideExit { cond: self.register()? }),
            _ => Err(error(at, format!("`{word}` is no instruction"))),
        }
    }

    fn op(&mut self) -> Result<Op, ParseError> {
        let at = self.at;
        let word = match self.advance()? {
            Token::Number(value) => return Ok(Op::Const(value)),
            Token::Word(word) => word,
            other => return Err(error(at, format!("{other} instead of a number or an operation"))),
        };
        // Shifts may also be by a constant.
        let on_registers = Op::on_registers(&word).filter(|_| word != "shl" && word != "shr");
        if let Some((count, make)) = on_registers {
            let mut operands = [0; 3];
            for (number, operand) in operands.iter_mut().take(count).enumerate() {
                if number > 0 {
                    self.sign(",")?;
                }
                *operand = self.register()?;
            }
            return Ok(make(operands));
        }
        match word.as_str() {
            "load" => Ok(Op::Load(self.index()?)),
            "table" => {
                let table = self.index()?;
                self.sign(",")?;
                Ok(Op::Table(table, self.register()?))
            }
            "within" => {
                let table = self.index()?;
                self.sign(",")?;
                let width = self.index()?;
                self.sign(",")?;
                let row = self.register()?;
                self.sign(",")?;
                Ok(Op::Within(table, width, row, self.register()?))
            }
            "shl" | "shr" => {
                let value = self.register()?;
                self.sign(",")?;
                let left = word == "shl";
                if let Token::Register(by) = self.token {
                    self.advance()?;
                    return Ok(if left { Op::Shl(value, by) } else { Op::Shr(value, by) });
                }
                let by = self.index()?;
                Ok(if left { Op::ShlBy(value, by) } else { Op::ShrBy(value, by) })
            }
            _ => Err(error(at, format!("`{word}` is no operation"))),
        }
    }
}
