"""A command that lists the largest tables of a run's model with their norms."""

import argparse

from lab.api import BadInput, Command, CommandContext, Register, hookimpl

LAB_API_VERSION = 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", metavar="RUN", help="folder or name of a run")
    parser.add_argument("--most", metavar="N", type=int, default=3, help="number of tables to list (3)")


def run(arguments: argparse.Namespace, context: CommandContext) -> int:
    if arguments.most < 1:
        raise BadInput("is too few", field="--most", value=arguments.most, allowed="1 or more", remedy="Leave it out")
    opened = context.open_run(arguments.run)
    name = opened.recipe["architecture"]["name"]
    context.show_progress(f"reading the model {context.cards('architectures')[name].title} …")
    tables = opened.model().tables()
    largest = sorted(tables, key=lambda table: -tables[table].numel())[: arguments.most]
    norms = {table: float(tables[table].double().norm()) for table in largest}
    if context.json:
        context.print_json({"run": opened.path.name, "norms": norms})
        return 0
    for table, norm in norms.items():
        context.print(f"{table:<40} {tables[table].numel():>12,} {norm:>12.4g}")
    return 0


@hookimpl
def lab_register_commands(register: Register[Command]) -> None:
    register(Command("heaviest-tables", "the largest tables of a run's model", run, add_arguments))
