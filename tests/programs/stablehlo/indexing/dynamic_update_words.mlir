// in: draw 1 -20 1 41
// in: draw 2 -20 1 41
// in: 7
// out: hash a2f3d6f93e9460e1
// cost: 14 instructions, 623062 ticks
module {
  func.func public @main(%arg0: tensor<20x9xi32>, %arg1: tensor<2x9xi32>, %arg2: tensor<ui32>) -> (tensor<20x9xi32>) {
    %c = stablehlo.constant dense<0> : tensor<ui32>
    %0 = stablehlo.dynamic_update_slice %arg0, %arg1, %arg2, %c : (tensor<20x9xi32>, tensor<2x9xi32>, tensor<ui32>, tensor<ui32>) -> tensor<20x9xi32>
    return %0 : tensor<20x9xi32>
  }
}
