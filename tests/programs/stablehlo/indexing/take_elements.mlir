// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 1 0 1 20
// in: draw 2 0 1 30
// out: -0.163190842 -0.79654789 0.272673607 -0.507167816 -0.66883564 0.487922668 -0.976737022 -0.74387455 0.676748276 -0.566240311 0.945458412 0.435976982 0.469748497 -0.546767235 0.837080002 0.316553116 -0.515206337 0.0510416031 -0.000738143921 0.319800377 0.127695084 -0.970901489 -0.549354553 -0.549503326 0.210684776 -0.741819382 0.813202858 0.837515831 0.00688552856 -0.744688988 0.465039253 -0.10902977 -0.89104557 0.500227928 0.0657587051 -0.89104557 0.370323181 -0.302055359 0.00489330292 -0.825255394
// cost: 34 instructions, 1832874 ticks
module {
  func.func public @main(%arg0: tensor<20x30xf32>, %arg1: tensor<40xi32>, %arg2: tensor<40xi32>) -> (tensor<40xf32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<40xi32>, tensor<40xi32>) -> tensor<40xi1>
    %c_0 = stablehlo.constant dense<20> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<40xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<40xi1>, tensor<40xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %6 = stablehlo.compare LT, %arg2, %5, SIGNED : (tensor<40xi32>, tensor<40xi32>) -> tensor<40xi1>
    %c_2 = stablehlo.constant dense<30> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %8 = stablehlo.add %arg2, %7 : tensor<40xi32>
    %9 = stablehlo.select %6, %8, %arg2 : tensor<40xi1>, tensor<40xi32>
    %10 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<40xi32>) -> tensor<40x1xi32>
    %11 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<40xi32>) -> tensor<40x1xi32>
    %12 = stablehlo.concatenate %10, %11, dim = 1 : (tensor<40x1xi32>, tensor<40x1xi32>) -> tensor<40x2xi32>
    %13 = "stablehlo.gather"(%arg0, %12) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<20x30xf32>, tensor<40x2xi32>) -> tensor<40xf32>
    return %13 : tensor<40xf32>
  }
}
