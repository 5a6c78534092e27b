"""How pytest runs tests/suites; ./test calls it.

A suite is a module with functions test_*(ctx); what `ctx` offers is said in tests/lib/context.py. The unit tests,
a GoogleTest program, are run by the suite test_unit. Tests run in the processes of pytest-xdist, several at a time and in
no particular order; pytest-timeout ends one that takes too long. Beside pytest's own options there are:

    --preset PRESET   which build to test
    --long            also what takes minutes
    --select REGEX    only tests whose name SUITE.TEST, or Group.Test of a unit test, has a match
    --summary FILE    write the line with the counts there; a unit test counts as one each
    --costs FILE      write the processor seconds of each test there, the most expensive first

What each build is tested with:

    release           everything
    dev, coverage     everything, with fewer random models (ctx.slow)
    asan-ubsan        the same without tests marked other_program: SPIN, a formatter or a benchmark does the work
                      there, and has done it with the release build already
    tsan              tests marked threads, and the unit tests that tests/CMakeLists.txt names
"""

import os
import pathlib
import re
import resource
import shutil
import sys
import tempfile

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from lib.context import SANITIZED, Context, limit_of  # noqa: E402

os.environ["SPOOR_LEDGER"] = "none"  # for programs that are not run by Context.run

UNIT = "test_unit"
OUTCOMES = ("passed", "skipped", "failed")  # a test has the last of these that one of its parts has


def pytest_addoption(parser):
    group = parser.getgroup("spoor")
    group.addoption("--preset", default="release", help="which build to test")
    group.addoption("--long", action="store_true", help="also what takes minutes")
    group.addoption("--select", default="", metavar="REGEX", help="only tests whose SUITE.TEST matches")
    group.addoption("--summary", metavar="FILE", help="write the line with the counts there")
    group.addoption("--costs", metavar="FILE", help="write the processor seconds of each test there")


def label_of(item):
    return f"{item.module.__name__}.{item.name}"


def is_wanted(item, preset, pattern):
    if item.module.__name__ == UNIT and "names" in item.fixturenames:
        return isinstance(item.callspec.params["names"], tuple)  # chosen by test_unit.py; else there are none
    if preset == "tsan" and not item.get_closest_marker("threads"):
        return False
    if preset in SANITIZED and item.get_closest_marker("other_program"):
        return False
    return pattern.search(label_of(item)) is not None


def pytest_collection_modifyitems(config, items):
    pattern, preset = re.compile(config.getoption("select")), config.getoption("preset")
    unwanted = [item for item in items if not is_wanted(item, preset, pattern)]
    if unwanted:
        config.hook.pytest_deselected(items=unwanted)
    # Unit tests first: some use one core for long, while most suites keep all of them busy until the end.
    items[:] = sorted((item for item in items if item not in unwanted), key=lambda item: item.module.__name__ != UNIT)
    limit_s = limit_of(config.getoption("long"))
    for item in items:
        item.add_marker(pytest.mark.timeout(limit_s))


@pytest.fixture
def ctx(request):
    tmp = pathlib.Path(tempfile.mkdtemp(prefix="spoor-test-"))
    context = Context(request.config.getoption("preset"), request.config.getoption("long"), tmp)
    yield context
    if context.counts:
        request.node.user_properties.append(("counts", context.counts))
    shutil.rmtree(tmp, ignore_errors=True)


def cpu_seconds():
    return sum(usage.ru_utime + usage.ru_stime for usage in
               (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item):
    item.cpu_before = cpu_seconds()
    yield


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    if call.when == "teardown":
        item.user_properties.append(("cpu_s", cpu_seconds() - item.cpu_before))
    yield


class Tally:
    """Counts what ran, in the process that the others report to."""

    def __init__(self, config):
        self.config = config
        self.outcomes, self.counts, self.cpu_s = {}, {}, {}

    def pytest_runtest_logreport(self, report):
        name = report.nodeid
        known = self.outcomes.get(name, "passed")
        if report.outcome == "failed" != known:
            print(f"\nFAIL {name}", flush=True)
        self.outcomes[name] = max(known, report.outcome, key=OUTCOMES.index)
        properties = dict(report.user_properties)
        if "cpu_s" in properties:
            self.cpu_s[name] = properties["cpu_s"]
        if "counts" in properties:
            self.counts[name] = properties["counts"]

    def pytest_collectreport(self, report):
        if report.failed:
            self.outcomes[report.nodeid] = "failed"

    def total(self):
        total = dict.fromkeys(OUTCOMES, 0)
        for name, outcome in self.outcomes.items():
            counts = self.counts.get(name, {})
            if not counts.get(outcome):  # it stands for itself, or failed beside what it stands for
                total[outcome] += 1
            for key, number in counts.items():
                total[key] += number
        return total

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session):
        total = self.total()
        if not any(total.values()):
            print(f"\nFAIL no test matches '{self.config.getoption('select')}'", flush=True)
            session.exitstatus = pytest.ExitCode.NO_TESTS_COLLECTED
        line = f"{total['passed']} passed, {total['failed']} failed"
        if total["skipped"]:
            line += f", {total['skipped']} skipped"
        if self.config.getoption("summary"):
            pathlib.Path(self.config.getoption("summary")).write_text(line + "\n", encoding="utf-8")
        if self.config.getoption("costs"):
            rows = sorted(self.cpu_s.items(), key=lambda entry: -entry[1])
            text = "".join(f"{seconds:.1f}\t{name}\n" for name, seconds in [("total", sum(self.cpu_s.values())), *rows])
            pathlib.Path(self.config.getoption("costs")).write_text(text, encoding="utf-8")


def pytest_configure(config):
    if not hasattr(config, "workerinput"):  # not in the processes that run the tests
        config.pluginmanager.register(Tally(config), "tally")
