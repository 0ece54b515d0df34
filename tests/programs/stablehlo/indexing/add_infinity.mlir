// in: draw 13 0 1 4
// out: inf inf 12 10
// cost: 78 instructions, 1734821 ticks
module {
  func.func public @main(%arg0: tensor<40xi32>) -> (tensor<4xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %c = stablehlo.constant dense<2> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %2 = stablehlo.compare LT, %arg0, %1, SIGNED : (tensor<40xi32>, tensor<40xi32>) -> tensor<40xi1>
    %cst_0 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = call @_where(%2, %cst_0, %cst_1) : (tensor<40xi1>, tensor<f32>, tensor<f32>) -> tensor<40xf32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %5 = stablehlo.compare LT, %arg0, %4, SIGNED : (tensor<40xi32>, tensor<40xi32>) -> tensor<40xi1>
    %c_3 = stablehlo.constant dense<4> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %7 = stablehlo.add %arg0, %6 : tensor<40xi32>
    %8 = stablehlo.select %5, %7, %arg0 : tensor<40xi1>, tensor<40xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<40xi32>) -> tensor<40x1xi32>
    %10 = stablehlo.convert %3 : tensor<40xf32>
    %11 = "stablehlo.scatter"(%0, %9, %10) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %12 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %12 : tensor<f32>
    }) : (tensor<4xf32>, tensor<40x1xi32>, tensor<40xf32>) -> tensor<4xf32>
    return %11 : tensor<4xf32>
  }
  func.func private @_where(%arg0: tensor<40xi1>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<40xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %2 = stablehlo.select %arg0, %0, %1 : tensor<40xi1>, tensor<40xf32>
    return %2 : tensor<40xf32>
  }
}
