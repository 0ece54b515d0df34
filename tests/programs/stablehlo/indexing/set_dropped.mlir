// in: draw 1 -1 9.5367431640625e-07 2097153
// in: 3 10 99 0
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: 0.506634712 -0.957777977 -0.24782753 -0.197100639 -0.259214401 0.236193657 -0.391008377 -0.877511978 0.562298775 0.581446648 0.577969551 -0.0245132446 -0.53169632 0.399581909 -0.917959213 0.511582375 0.786046982 -0.500000954 0.430170059 0.494348526 0.808592796 -0.192538261 0.169837952 -0.488546371 0.325592995 0.247086525 0.981182098 0.589755058 0.595500946 0.842384338 -0.727538109 0.488022804 0.218456268 -0.44414711 -0.506599426 0.268321037 -0.069314003 -0.118336678 -0.337203026 0.0296163559
// cost: 23 instructions, 1402582 ticks
module {
  func.func public @main(%arg0: tensor<10x4xf32>, %arg1: tensor<4xi32>, %arg2: tensor<4x4xf32>) -> (tensor<10x4xf32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_0 = stablehlo.constant dense<10> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<4xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<4xi1>, tensor<4xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %6 = "stablehlo.scatter"(%arg0, %5, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      stablehlo.return %arg4 : tensor<f32>
    }) : (tensor<10x4xf32>, tensor<4x1xi32>, tensor<4x4xf32>) -> tensor<10x4xf32>
    return %6 : tensor<10x4xf32>
  }
}
