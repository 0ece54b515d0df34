// in: draw 1 -1 9.5367431640625e-07 2097153
// in: 4 0 19
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: hash bc04c295a229e9d2
// cost: 44 instructions, 1522599 ticks
module {
  func.func public @main(%arg0: tensor<3x20x8xf32>, %arg1: tensor<3xi32>, %arg2: tensor<3x8xf32>) -> (tensor<3x20x8xf32>) {
    %0 = stablehlo.iota dim = 0 : tensor<3xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %2 = stablehlo.compare LT, %0, %1, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_0 = stablehlo.constant dense<3> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %4 = stablehlo.add %0, %3 : tensor<3xi32>
    %5 = stablehlo.select %2, %4, %0 : tensor<3xi1>, tensor<3xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %7 = stablehlo.compare LT, %arg1, %6, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_2 = stablehlo.constant dense<20> : tensor<i32>
    %8 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %9 = stablehlo.add %arg1, %8 : tensor<3xi32>
    %10 = stablehlo.select %7, %9, %arg1 : tensor<3xi1>, tensor<3xi32>
    %11 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %12 = stablehlo.broadcast_in_dim %10, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %13 = stablehlo.concatenate %11, %12, dim = 1 : (tensor<3x1xi32>, tensor<3x1xi32>) -> tensor<3x2xi32>
    %14 = "stablehlo.scatter"(%arg0, %13, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      stablehlo.return %arg4 : tensor<f32>
    }) : (tensor<3x20x8xf32>, tensor<3x2xi32>, tensor<3x8xf32>) -> tensor<3x20x8xf32>
    return %14 : tensor<3x20x8xf32>
  }
}
