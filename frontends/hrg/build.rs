//! Generates the parser from `src/grammar.lalrpop`.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    lalrpop::Configuration::new().emit_rerun_directives(true).process()
}
