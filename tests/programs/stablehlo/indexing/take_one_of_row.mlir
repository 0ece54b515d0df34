// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 1 0 1 30
// out: hash 8b977b9ac0782105
// cost: 71 instructions, 2561644 ticks
module {
  func.func public @main(%arg0: tensor<140x30xf32>, %arg1: tensor<140xi32>) -> (tensor<140xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<140xi32>) -> tensor<140x1xi32>
    %1 = call @take_along_axis(%arg0, %0) : (tensor<140x30xf32>, tensor<140x1xi32>) -> tensor<140x1xf32>
    %2 = stablehlo.reshape %1 : (tensor<140x1xf32>) -> tensor<140xf32>
    return %2 : tensor<140xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<140x30xf32>, %arg1: tensor<140x1xi32>) -> tensor<140x1xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<140x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<140x1xi32>, tensor<140x1xi32>) -> tensor<140x1xi1>
    %c_0 = stablehlo.constant dense<30> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<140x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<140x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<140x1xi1>, tensor<140x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<140x1xi32>) -> tensor<140x1x1xi32>
    %c_1 = stablehlo.constant dense<29> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<140x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<140x1x1xi32>, tensor<140x1x1xi32>) -> tensor<140x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<140x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<140x1x1xi32>, tensor<140x1x1xi32>) -> tensor<140x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<140x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<140x1x1xi1>, tensor<i1>) -> tensor<140x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<140x30xf32>, tensor<140x1x1xi32>) -> tensor<140x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<140x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<140x1xi1>, tensor<140x1xf32>
    return %15 : tensor<140x1xf32>
  }
}
