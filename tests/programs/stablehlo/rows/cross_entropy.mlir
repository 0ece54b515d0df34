// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 1 0 1 30
// out: 3.55262303
// cost: 58 instructions, 3094411 ticks
module {
  func.func public @main(%arg0: tensor<40x30xf32>, %arg1: tensor<40xi32>) -> (tensor<f32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<40x30xf32>, tensor<f32>) -> tensor<40xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<40xf32>
    %3 = stablehlo.is_finite %2 : (tensor<40xf32>) -> tensor<40xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %5 = stablehlo.select %3, %2, %4 : tensor<40xi1>, tensor<40xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<40xf32>) -> tensor<40x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<40x1xf32>) -> tensor<40x30xf32>
    %8 = stablehlo.subtract %arg0, %7 : tensor<40x30xf32>
    %9 = stablehlo.exponential %8 : tensor<40x30xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<40x30xf32>, tensor<f32>) -> tensor<40xf32>
    %11 = stablehlo.sign %10 : tensor<40xf32>
    %12 = stablehlo.abs %10 : tensor<40xf32>
    %13 = stablehlo.log %12 : tensor<40xf32>
    %14 = stablehlo.add %13, %5 : tensor<40xf32>
    %15 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<40xi32>) -> tensor<40x1xi32>
    %16 = call @take_along_axis(%arg0, %15) : (tensor<40x30xf32>, tensor<40x1xi32>) -> tensor<40x1xf32>
    %17 = stablehlo.reshape %16 : (tensor<40x1xf32>) -> tensor<40xf32>
    %18 = stablehlo.subtract %14, %17 : tensor<40xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.reduce(%18 init: %cst_3) applies stablehlo.add across dimensions = [0] : (tensor<40xf32>, tensor<f32>) -> tensor<f32>
    %cst_4 = stablehlo.constant dense<4.000000e+01> : tensor<f32>
    %20 = stablehlo.divide %19, %cst_4 : tensor<f32>
    return %20 : tensor<f32>
  }
  func.func private @take_along_axis(%arg0: tensor<40x30xf32>, %arg1: tensor<40x1xi32>) -> tensor<40x1xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<40x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<40x1xi32>, tensor<40x1xi32>) -> tensor<40x1xi1>
    %c_0 = stablehlo.constant dense<30> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<40x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<40x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<40x1xi1>, tensor<40x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<40x1xi32>) -> tensor<40x1x1xi32>
    %c_1 = stablehlo.constant dense<29> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<40x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<40x1x1xi32>, tensor<40x1x1xi32>) -> tensor<40x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<40x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<40x1x1xi32>, tensor<40x1x1xi32>) -> tensor<40x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<40x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<40x1x1xi1>, tensor<i1>) -> tensor<40x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<40x30xf32>, tensor<40x1x1xi32>) -> tensor<40x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<40x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<40x1xi1>, tensor<40x1xf32>
    return %15 : tensor<40x1xf32>
  }
}
