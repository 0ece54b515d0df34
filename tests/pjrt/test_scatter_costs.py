"""Does a scatter pay for the rows that it changes where it may write over its operand, and for a
whole copy elsewhere?"""

import jax
import numpy as np
import pytest

ROWS, COLUMNS, UPDATES = 65536, 256, 2048  # more matches than a product of ones takes
TABLE, CHANGES = ROWS * COLUMNS * 4, UPDATES * COLUMNS * 4
SHARE = 4.7e12 / 8  # bytes per second of HBM that a core of trn3 has


def arguments():
    device = jax.devices("neuron")[0]
    table = np.zeros((ROWS, COLUMNS), np.float32)
    changes = np.ones((UPDATES, COLUMNS), np.float32)
    places = np.arange(UPDATES, dtype=np.int32) // 2 * 3
    return [jax.device_put(each, device) for each in (table, changes, places)]


def seconds(function, **options):
    jitted = jax.jit(function, compiler_options={"mode": "machine"}, **options)
    return jitted.lower(*arguments()).compile().cost_analysis()["seconds"]


def added(table, changes, places):
    return table.at[places].add(changes)


def multiplied(table, changes, places):
    return table.at[places].multiply(changes)


@pytest.mark.parametrize("function", [added, multiplied])
def test_a_donated_table_pays_for_its_rows(function):
    donated, kept = seconds(function, donate_argnums=(0,)), seconds(function)
    assert kept >= 2 * TABLE / SHARE
    assert 3 * CHANGES / SHARE <= donated <= 3.2 * CHANGES / SHARE + 15e-6 < kept / 5


def test_what_is_read_behind_is_not_overwritten():
    def read_behind(table, changes, places):
        return added(table, changes, places), table.sum()

    assert seconds(read_behind, donate_argnums=(0,)) >= 2 * TABLE / SHARE


def test_a_table_of_its_own_pays_for_its_rows():
    doubled = seconds(lambda table, changes, places: table * 2)
    both = seconds(lambda table, changes, places: added(table * 2, changes, places))
    assert both - doubled <= 3.5 * CHANGES / SHARE + 5e-6


def test_values_are_as_ever():
    table, changes, places = arguments()
    expected = np.zeros((ROWS, COLUMNS), np.float32)
    np.add.at(expected, np.asarray(places), np.asarray(changes))
    jitted = jax.jit(added, compiler_options={"mode": "machine"}, donate_argnums=(0,))
    np.testing.assert_array_equal(np.asarray(jitted(table, changes, places)), expected)
