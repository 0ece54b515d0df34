"""A small model of each of 66 families of timm, of random weights and ten classes, on pictures of
64 x 64 (CrossViT 120 x 120); of the first 50 those of fewest parameters first. What is made for
one size is made for this one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import timm
import torch

NAMES = """
    test_efficientnet test_nfnet test_mambaout test_byobnet test_convnext test_vit test_resnet
    lcnet_035 starnet_s050 test_coatnet mobilenetv3_small_050 test_vit_relpos mnasnet_small
    tinynet_e mobilevit_xxs repghostnet_050 dla46_c edgenext_xx_small ghostnet_050 efficientvit_m0
    regnetx_002 ese_vovnet19b_slim xcit_nano_12_p16_224 swiftformer_xs inception_next_atto
    efficientformerv2_s0 fastvit_t8 pvt_v2_b0 rexnetr_100 hgnetv2_b0 mobileone_s0 pit_ti_224
    repvit_m0_9 tiny_vit_5m_224 coat_lite_tiny convit_tiny deit_tiny_patch16_224 shvit_s1
    densenet121 levit_128s dpn48b resnest14d visformer_tiny hrnet_w18_small poolformer_s12
    gcvit_xxtiny skresnet18 nest_tiny mixer_s32_224 cspresnet50
    semnasnet_050 mobilenetv4_conv_small_050 mobilevitv2_050 efficientvit_b0 ghostnetv3_050
    fasternet_t0 mixnet_s spnasnet_100 fbnetc_100 hardcorenas_a gmlp_ti16_224 eva02_tiny_patch14_224
    tf_efficientnetv2_b0 gernet_s crossvit_tiny_240 cait_xxs24_224
"""


def case_of(name: str) -> Callable[[], Any]:
    def make() -> tuple[torch.nn.Module, dict[str, Any]]:
        size = 120 if name.startswith("crossvit") else 64  # whose patches are of 12 and of 16
        given = {"img_size": size} if timm.get_pretrained_cfg(name).fixed_input_size else {}
        model = timm.create_model(name, num_classes=10, **given)
        return model, {"x": torch.randn(2, 3, size, size)}

    return make


cases = {name: case_of(name) for name in NAMES.split()}
