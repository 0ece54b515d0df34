// in: draw 1 0 1 4294967296
// out: hash 3a9733da67f6c3a3
// cost: 204 instructions, 3053459 ticks
module {
  func.func public @main(%arg0: tensor<3x20xui32>) -> (tensor<3x20xui32>) {
    %0 = call @sort(%arg0) : (tensor<3x20xui32>) -> tensor<3x20xui32>
    return %0 : tensor<3x20xui32>
  }
  func.func private @sort(%arg0: tensor<3x20xui32>) -> tensor<3x20xui32> {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<ui32>, %arg2: tensor<ui32>):
      %1 = stablehlo.compare LT, %arg1, %arg2, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }) : (tensor<3x20xui32>) -> tensor<3x20xui32>
    return %0 : tensor<3x20xui32>
  }
}
