"""Settings that come from outside: configurations of libraries that need not be installed here."""

from __future__ import annotations

import pytest
from secondpass import check_text

TRAINED = """
import torch
import torch.nn as nn
{imports}

cell = nn.GRUCell(3, 4)


def train(cfg):
    state = torch.zeros(2, 4)
    for _ in range({steps}):
        state = cell(torch.randn(2, 3), state.detach() if {cut} else state)
        state.mean().backward()

{rest}
"""


def severities(imports: str, rest: str, cut: str, steps: str = "4") -> list[tuple[str, str]]:
    found = check_text(TRAINED.format(imports=imports, rest=rest, cut=cut, steps=steps), "program.py").findings
    return [(finding.rule, finding.severity.name) for finding in found]


CARRIED, QUIET = [("SP101", "ERROR")], [("SP101", "INFORMATION")]


@pytest.mark.parametrize(("value", "expected"), [("False", CARRIED), ("True", [])])
def test_a_configuration_that_is_written_in_the_program_is_known(value: str, expected: list[tuple[str, str]]) -> None:
    made = f"train(OmegaConf.create({{'train': {{'cut': {value}, 'steps': 4}}}}))"
    found = severities("from omegaconf import OmegaConf", made, "cfg.train.cut", "cfg['train'].steps")
    assert found == expected


@pytest.mark.parametrize(("value", "expected"), [("False", CARRIED), ("True", QUIET)])
def test_the_command_line_may_say_otherwise_than_a_configuration(value: str, expected: list[tuple[str, str]]) -> None:
    made = f"train(OmegaConf.merge({{'train': {{'cut': {value}}}}}, OmegaConf.from_cli()))"
    assert severities("from omegaconf import OmegaConf", made, "cfg.train.cut") == expected


def test_what_a_file_says_is_a_choice() -> None:
    for imports, made in (
        ("import yaml", "train(yaml.safe_load(open('config.yaml')))"),
        ("import json", "train(json.load(open('config.json')))"),
    ):
        assert severities(imports, made, "cfg['cut']") == [("SP101", "WARNING")]


def test_a_function_of_hydra_gets_its_configuration() -> None:
    main = "@hydra.main(config_path='.')\ndef main(cfg):\n    if cfg.load is None:\n        return\n"
    main += "    train(cfg)\n\nmain()"
    assert severities("import hydra", main, "cfg.get('cut')") == [("SP101", "WARNING")]


@pytest.mark.parametrize(("value", "expected"), [("False", CARRIED), ("True", QUIET)])
def test_click_options_have_defaults(value: str, expected: list[tuple[str, str]]) -> None:
    main = (
        "@click.command()\n@click.option('--steps', default=4)\n"
        f"@click.option('--cut/--no-cut', default={value})\ndef main(steps, cut):\n    train((steps, cut))\n\nmain()"
    )
    assert severities("import click", main, "cfg[1]", "cfg[0]") == expected


@pytest.mark.parametrize(("value", "expected"), [("False", CARRIED), ("True", QUIET)])
def test_the_fields_of_a_dataclass_are_options_of_tyro(value: str, expected: list[tuple[str, str]]) -> None:
    made = f"@dataclass\nclass Config:\n    steps: int = 4\n    cut: bool = {value}\n\ntrain(tyro.cli(Config))"
    assert severities("import tyro\nfrom dataclasses import dataclass", made, "cfg.cut", "cfg.steps") == expected


@pytest.mark.parametrize(("value", "expected"), [("False", CARRIED), ("True", [])])
def test_the_fields_of_a_dataclass_are_known_otherwise(value: str, expected: list[tuple[str, str]]) -> None:
    made = f"@dataclass\nclass Config:\n    steps: int = 4\n    cut: bool = {value}\n\ntrain(Config())"
    assert severities("from dataclasses import dataclass", made, "cfg.cut", "cfg.steps") == expected
