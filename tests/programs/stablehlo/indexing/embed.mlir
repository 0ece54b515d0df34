// in: draw 1 -1 0.0078125 257
// in: draw 1 0 1 40
// out: hash 29d9a745914180a9
// cost: 20 instructions, 2269736 ticks
module {
  func.func public @main(%arg0: tensor<40x64xbf16>, %arg1: tensor<2x20xi32>) -> (tensor<2x20x64xbf16>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x20xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<2x20xi32>, tensor<2x20xi32>) -> tensor<2x20xi1>
    %c_0 = stablehlo.constant dense<40> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x20xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<2x20xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<2x20xi1>, tensor<2x20xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<2x20xi32>) -> tensor<2x20x1xi32>
    %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 64>}> : (tensor<40x64xbf16>, tensor<2x20x1xi32>) -> tensor<2x20x64xbf16>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<bf16>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<2x20x64xbf16>
    %8 = stablehlo.multiply %6, %7 : tensor<2x20x64xbf16>
    return %8 : tensor<2x20x64xbf16>
  }
}
