// in: draw 1 -1 9.5367431640625e-07 2097153
// out: 0.0897197723 0.169837952 -0.365001678 0.305850029 0.82756424 -0.0907936096 0.584123611 -0.116034508 0.776527405 -0.221813202 -0.654429436 -0.234233856 -0.190170288 -0.863817215 0.644839287 -0.700544357 0.367414474 -0.637408257 -0.208997726
// cost: 36 instructions, 1809005 ticks
module {
  func.func public @main(%arg0: tensor<20x20xf32>) -> (tensor<19xf32>) {
    %0 = call @diagonal(%arg0) : (tensor<20x20xf32>) -> tensor<19xf32>
    return %0 : tensor<19xf32>
  }
  func.func private @diagonal(%arg0: tensor<20x20xf32>) -> tensor<19xf32> {
    %0 = stablehlo.iota dim = 0 : tensor<19xi32>
    %1 = stablehlo.iota dim = 0 : tensor<19xi32>
    %c = stablehlo.constant dense<1> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<19xi32>
    %3 = stablehlo.add %2, %1 : tensor<19xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<19xi32>
    %5 = stablehlo.compare LT, %0, %4, SIGNED : (tensor<19xi32>, tensor<19xi32>) -> tensor<19xi1>
    %c_1 = stablehlo.constant dense<20> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<19xi32>
    %7 = stablehlo.add %0, %6 : tensor<19xi32>
    %8 = stablehlo.select %5, %7, %0 : tensor<19xi1>, tensor<19xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<19xi32>
    %10 = stablehlo.compare LT, %3, %9, SIGNED : (tensor<19xi32>, tensor<19xi32>) -> tensor<19xi1>
    %c_3 = stablehlo.constant dense<20> : tensor<i32>
    %11 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<19xi32>
    %12 = stablehlo.add %3, %11 : tensor<19xi32>
    %13 = stablehlo.select %10, %12, %3 : tensor<19xi1>, tensor<19xi32>
    %14 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<19xi32>) -> tensor<19x1xi32>
    %15 = stablehlo.broadcast_in_dim %13, dims = [0] : (tensor<19xi32>) -> tensor<19x1xi32>
    %16 = stablehlo.concatenate %14, %15, dim = 1 : (tensor<19x1xi32>, tensor<19x1xi32>) -> tensor<19x2xi32>
    %17 = "stablehlo.gather"(%arg0, %16) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<20x20xf32>, tensor<19x2xi32>) -> tensor<19xf32>
    return %17 : tensor<19xf32>
  }
}
