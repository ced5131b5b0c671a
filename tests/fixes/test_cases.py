"""Programs re-created from public reports: what kind of fix each one is given, and that PyTorch then runs it.

They are those of `tests/programs/reports`; WANTED names the fix their authors settled on, where it has a name (moving
into the loop counts as computing again). The fixes are those of `secondpass fix --unsafe`, one after the other until
none is left.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from secondpass.engine import check_text
from secondpass.findings import Finding, Fix
from secondpass.fixes.apply import fix_text

from .helpers import SETTINGS, raises

REPORTS = Path(__file__).parents[1] / "programs" / "reports"

WANTED = {
    "amp_two_losses": "sum-losses",
    "average_meter_holds_tensors": "item",
    "cached_normalised_edges": "recompute",
    "conditional_gan_score_reused": "recompute",
    "custom_batchnorm_running_stats": "no_grad",
    "dataset_embeds_text_with_grad": "no_grad",
    "dcgan_without_detach": "detach",
    "detach_gap_longer_than_update": "detach",
    "diversity_loss_after_adversarial": "sum-losses",
    "domain_predictions_after_step": "recompute",
    "epoch_outputs_list": "detach",
    "fast_weights_kept_between_meta_steps": "recompute",
    "fused_conv_weight_not_leaf": "detach",
    "gan_fake_reused": "detach",
    "grad_norm_metric": "other",
    "graph_dump_after_backward": "other",
    "hessian_estimate_reuses_logits": "recompute",
    "hooked_gradients_with_create_graph": "other",
    "hourglass_loss_list": "sum-losses",
    "inplace_scaled_loss_accumulator": "detach",
    "jacobian_row_by_row": "retain_graph",
    "labels_with_graph_in_dataset": "detach",
    "lbfgs_residual_outside_closure": "recompute",
    "lif_membrane_not_reset": "other",
    "lightgcn_embeddings_once": "recompute",
    "lightning_manual_tbptt": "detach",
    "lstm_state_per_epoch": "detach",
    "maddpg_shared_policy_actions": "other",
    "manual_backward_under_automatic_trainer": "other",
    "memoised_cholesky_in_eval_mode": "recompute",
    "memory_bank_slice_assignment": "detach",
    "node_memory_detach_rebinds_local": "detach",
    "odd_batch_skips_forward": "other",
    "one_of_three_states_not_cut": "detach",
    "partition_gan_step_between": "recompute",
    "pix2pix_gradient_penalty_undetached": "detach",
    "policy_loss_after_critic_step": "recompute",
    "position_cache_with_learned_scale": "recompute",
    "ppo_surrogates_through_critic": "detach",
    "prototype_ema_in_loss": "detach",
    "reference_bank_with_accumulation": "other",
    "regularisation_built_in_init": "recompute",
    "retain_graph_hides_membrane_history": "other",
    "retain_graph_on_the_wrong_call": "retain_graph",
    "retained_losses_summed": "detach",
    "reused_output_buffer": "recompute",
    "reversible_block_inner_graph": "retain_graph",
    "running_loss_keeps_graphs": "item",
    "running_total_never_reset": "item",
    "saved_log_probs_not_cleared": "other",
    "scan_lstm_self_hidden": "detach",
    "segment_memories": "detach",
    "segment_memory_attention": "detach",
    "spiking_actor_encoder_not_reset": "other",
    "style_target_not_detached": "detach",
    "tbptt_detach_h_not_c": "detach",
}

OTHERWISE = {
    "reused_output_buffer",
    "regularisation_built_in_init",
    "memoised_cholesky_in_eval_mode",
}
"""Given a fix that runs, though of another kind."""


def kind(identity: str) -> str:
    """The name of a fix's kind in the words of WANTED."""
    if identity.startswith(("detach", "keep-detached")):
        return "detach"
    recomputing = ("recompute", "recompute-in-function", "recompute-cached")
    recomputing += ("move-into-loop", "start-in-loop", "reset-state")
    named = dict.fromkeys(recomputing, "recompute")
    named |= {"no-grad": "no_grad", "retain-graph": "retain_graph", "step-last": "retain_graph"}
    return named.get(identity, identity)


@cache
def fixed(name: str) -> tuple[str, list[tuple[Finding, Fix]], list[Finding]]:
    path = REPORTS / f"{name}.py"
    texts, done, left = fix_text(path.read_text(), path.name, SETTINGS, unsafe=True)
    return texts[path.name], done, left


def test_every_program_with_something_to_mend_is_here() -> None:
    def found(path: Path) -> list[Finding]:
        return [f for f in check_text(path.read_text(), path.name, SETTINGS).findings if f.severity.serious]

    assert {path.stem for path in REPORTS.glob("*.py") if found(path)} == set(WANTED)


@pytest.mark.parametrize("name", sorted(WANTED))
def test_case(name: str) -> None:
    text, done, left = fixed(name)
    assert done, "no preferred fix"
    assert not [finding.message for finding in left if finding.severity.serious]
    assert raises(text) is None
    wanted, given = WANTED[name], kind(done[0][1].id)
    assert wanted == "other" or (wanted == given) != (name in OTHERWISE), f"{given} in place of {wanted}"


def test_kinds_agree_often_enough() -> None:
    named = [name for name, wanted in WANTED.items() if wanted != "other"]
    assert len(OTHERWISE) <= 0.2 * len(named)
