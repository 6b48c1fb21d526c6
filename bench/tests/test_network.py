"""Costs of networks, against numbers worked out by hand."""

import unittest

import paths  # noqa: F401

from harness import drawn, network
from harness.machine import Machine

# A chain of matrices 2x3, 3x4, 4x5.
CHAIN = network.Instance("chain", "f64", {"subscripts": "ij,jk,kl->il", "shapes": [[2, 3], [3, 4], [4, 5]]},
                         {}, {})
LEFT_TO_RIGHT = [[0, 1], [0, 1]]  # (ij,jk) goes to the end of the list: kl, ik


class Network(unittest.TestCase):
    def test_steps_of_a_chain(self):
        steps = [step for step, _ in network.walk(CHAIN, LEFT_TO_RIGHT)]
        self.assertEqual(steps, [network.Step(lhs=12, rhs=6, out=8, flops=48),
                                 network.Step(lhs=8, rhs=20, out=10, flops=80)])

    def test_live_set_of_a_chain(self):
        # Operands 38 elements, then the first product with 8, then both with the result of 10.
        self.assertEqual(network.live_bytes(CHAIN, LEFT_TO_RIGHT), 8 * (38 + 8 + 10))

    def test_an_operand_like_an_intermediate_is_not_freed_for_it(self):
        twins = network.Instance("twins", "f64",
                                 {"subscripts": "ij,jk,ik->", "shapes": [[2, 3], [3, 4], [2, 4]]}, {}, {})
        self.assertEqual(network.live_bytes(twins, [[0, 1], [0, 1]]), 8 * (6 + 12 + 8 + 8 + 1))

    def test_a_step_of_three_is_two_pairs(self):
        self.assertEqual(list(network.complete([[0, 1, 2]], 3)), [[0, 1], [0, 1]])
        self.assertEqual(list(network.complete([[1, 3, 4]], 5)), [[1, 3], [2, 3], [0, 1], [0, 1]])

    def test_a_step_of_one_keeps_the_number(self):
        self.assertEqual(list(network.complete([[1], [0, 1]], 2)), [[1], [0, 1]])

    def test_an_outer_product_multiplies_only(self):
        outer = network.Instance("outer", "f64", {"subscripts": "i,j->ij", "shapes": [[7], [5]]}, {}, {})
        self.assertEqual([step.flops for step, _ in network.walk(outer, [[0, 1]])], [35])

    def test_bound_takes_the_slower_of_flops_and_bytes_at_each_step(self):
        fast_memory = Machine({"f64": 1.0}, [[1e9, 1e9]])
        self.assertAlmostEqual(network.bound_seconds(CHAIN, LEFT_TO_RIGHT, fast_memory), 48 + 80)
        slow_memory = Machine({"f64": 1e9}, [[1e9, 8.0]])
        self.assertAlmostEqual(network.bound_seconds(CHAIN, LEFT_TO_RIGHT, slow_memory), 26 + 38)

    def test_a_greedy_path_starts_where_least_grows(self):
        # (ij,jk) grows by 8 - 6 - 12 elements, (jk,kl) by 15 - 12 - 20.
        inputs, extents = [(0, 1), (1, 2), (2, 3)], {0: 2, 1: 3, 2: 4, 3: 5}
        self.assertEqual(drawn.greedy_path(inputs, (0, 3), extents, 1e3), [[1, 2], [0, 1]])
        self.assertIsNone(drawn.greedy_path(inputs, (0, 3), extents, 100))
        self.assertEqual(drawn.greedy_path([(0,), (1,)], (0, 1), extents, 1e3), [[0, 1]])

    def test_reversed_axes(self):
        self.assertEqual(network.reversed_axes({"subscripts": "ij,jk->ik", "shapes": [[2, 3], [3, 4]]}),
                         {"subscripts": "ji,kj->ki", "shapes": [[3, 2], [4, 3]]})

    def test_scales_give_results_of_variance_one(self):
        # Products of k pairs of magnitude² 13/12 sum to 1 when each operand has 12/13 / sqrt(extent).
        lhs, rhs, _ = network.scales(CHAIN)
        self.assertAlmostEqual(lhs * rhs * (13 / 12) * 3**0.5 * 4**0.25, 1)


class Bandwidth(unittest.TestCase):
    def test_a_small_set_is_as_fast_as_a_large_one_at_least(self):
        machine = Machine.from_answers([{"flops": {}, "bandwidth": [[10, 1.0], [100, 4.0]]}])
        self.assertEqual(machine.transfer_seconds(8), 2.0)
        self.assertEqual(machine.transfer_seconds(400), 100.0)

    def test_the_best_measurement_counts(self):
        machine = Machine.from_answers([{"flops": {"f64": 3.0}, "bandwidth": [[10, 1.0]]},
                                        {"flops": {"f64": 2.0}, "bandwidth": [[10, 8.0]]}])
        self.assertEqual((machine.flops("f64"), machine.transfer_seconds(8)), (3.0, 1.0))


if __name__ == "__main__":
    unittest.main()
