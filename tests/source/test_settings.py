"""[tool.np2torch], strictly."""

from __future__ import annotations

import pytest

from np2torch.source.ignore import is_closed
from np2torch.source.model import Settings
from np2torch.source.settings import SettingsError, check_codes, load_settings, not_heard, with_nested


def write(folder, body: str):
    path = folder / "pyproject.toml"
    path.write_text(body)
    return path


def test_all_keys(tmp_path):
    write(
        tmp_path,
        '[tool.np2torch]\nexclude = ["docs/"]\nrespect-gitignore = false\nindirect = true\njobs = 0\n'
        'select = ["NPT1"]\nignore = ["NPT101", "NPT6"]\nassume = "float"\n'
        'public-api = "ndarray"\npublic-modules = ["pkg"]\n'
        'unknown = "shim"\nclosed = ["app/**"]\n'
        'float = "float32"\nrandom = "torch"\nscalars = "tensor"\ndevice = "cuda:1"\n'
        '[tool.np2torch.types]\n"pkg.f.x" = "float64[n]"\n',
    )
    types = (("pkg.f.x", "float64[n]"),)
    wanted = Settings(
        exclude=("docs/",), respect_gitignore=False, indirect=True, jobs=0, select=("NPT1",), ignore=("NPT101", "NPT6"),
        types=types, assume="float", public_api="ndarray", public_modules=("pkg",), float="float32",
        random="torch", scalars="tensor", unknown="shim", closed=("app/**",), device="cuda:1", root=tmp_path,
    )  # fmt: skip
    assert load_settings([tmp_path]) == wanted


def test_the_nearest_table_counts(tmp_path):
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    write(tmp_path, "[tool.np2torch]\njobs = 3\n")
    write(tmp_path / "a", "[tool.other]\n")  # without a table of ours: the search goes on
    (inner / "x.py").touch()
    assert load_settings([inner / "x.py"]).jobs == 3
    assert load_settings([inner]).root == tmp_path
    write(inner, "[tool.np2torch]\njobs = 5\n")
    assert load_settings([inner / "x.py"]).jobs == 5
    assert load_settings([inner / "x.py", tmp_path]).jobs == 3  # both files lie below the outer one only


def test_without_any_file_the_defaults_hold(tmp_path):
    assert load_settings([tmp_path]) == Settings(root=tmp_path)


def test_a_file_given_needs_no_table_but_has_to_exist(tmp_path):
    assert load_settings(config=write(tmp_path, "")) == Settings(root=tmp_path, is_only=True)
    with pytest.raises(SettingsError, match="No such file"):
        load_settings(config=tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("jbos = 3", "unknown key 'jbos' in [tool.np2torch]; did you mean 'jobs'?"),
        ("colour = 3", "unknown key 'colour' in [tool.np2torch]; known: exclude,"),
        ("jobs = -1", "jobs: must be a whole number"),
        ("jobs = true", "jobs: must be a whole number"),
        ('exclude = "docs"', "exclude: must be a list of strings"),
        ("exclude = [1]", "exclude: must be a list of strings"),
        ("respect-gitignore = 1", "respect-gitignore: must be true or false"),
        ('indirect = "yes"', "indirect: must be true or false"),
        ('select = ["E501"]', "select: 'E501' is no code"),
        ("jobs = ", "not valid TOML"),
        ('unknown = "guess"', "unknown: must be one of 'guard', 'shim'"),
        ('closed = "app"', "closed: must be a list of strings"),
        ('assume = "int"', "assume: must be one of 'float'"),
        ('types = ["x"]', "types: must be a table of names and types"),
        ('types = {pkg.f.x = "float64[n]"}', "types: 'pkg' must be a type in quotes such as"),
    ],
)
def test_mistakes_are_named_in_one_line(tmp_path, body, message):
    path = write(tmp_path, f"[tool.np2torch]\n{body}\n")
    with pytest.raises(SettingsError) as caught:
        load_settings([tmp_path])
    text = str(caught.value)
    assert text.startswith(f"{path}: ") and message in text and "\n" not in text


def test_a_table_that_is_none(tmp_path):
    write(tmp_path, "[tool]\nnp2torch = 3\n")
    with pytest.raises(SettingsError, match="must be a table"):
        load_settings([tmp_path])


def test_codes_may_be_listed_with_commas():
    assert check_codes(["NPT1,NPT302", " NPT6 "]) == ("NPT1", "NPT302", "NPT6")
    with pytest.raises(SettingsError, match="'NPT1x'"):
        check_codes(["NPT1x"])


def test_closed_files(tmp_path):
    write(tmp_path, '[tool.np2torch]\nclosed = ["app/**", "/run.py", "!app/api.py"]\n')
    settings = load_settings([tmp_path])
    closed = "app/a.py app/b/c.py run.py".split()
    is_open = "app/api.py lib/a.py lib/run.py application/a.py".split()
    assert [name for name in (*closed, *is_open) if is_closed(tmp_path / name, settings)] == closed
    assert not is_closed(tmp_path.parent / "app" / "a.py", settings)
    assert not is_closed(tmp_path / "app" / "a.py", Settings(root=tmp_path))


def test_closed_is_taken_from_the_nearest_table(tmp_path):
    (tmp_path / "tool").mkdir()
    write(tmp_path, '[tool.np2torch]\nclosed = ["a.py"]\n')
    write(tmp_path / "tool", '[tool.np2torch]\nclosed = ["b.py"]\nunknown = "shim"\n')
    files = [tmp_path / "a.py", tmp_path / "tool" / "a.py", tmp_path / "tool" / "b.py"]
    settings = with_nested(load_settings([tmp_path]), files, {})
    assert [is_closed(path, settings) for path in files] == [True, False, True]
    assert settings.unknown == "guard" and any("unknown holds for a whole run" in w for w in not_heard(settings, files))
