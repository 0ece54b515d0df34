// tolerance: 1e-05
// only: evaluated
// in: draw 1 -1 0.0078125 257
// in: draw 2 -1 0.0078125 257
// out: -0.202270508 1.15185547 0.620727539 1.86328125 0.659484863 -0.383544922 -0.253540039 -1.72955322 -0.653808594 0.00573730469 -0.839904785 0.386169434 0.302490234 -1.3963623 -0.425720215 -0.640197754 -1.74530029 0.0221557617 -1.65899658 1.00469971 -0.678161621 2.11022949 0.918701172 0.680969238
module {
  func.func public @main(%arg0: tensor<4x5xcomplex<f32>>, %arg1: tensor<5x3xcomplex<f32>>) -> (tensor<4x3xcomplex<f32>>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x5xcomplex<f32>>, tensor<5x3xcomplex<f32>>) -> tensor<4x3xcomplex<f32>>
    return %0 : tensor<4x3xcomplex<f32>>
  }
}
